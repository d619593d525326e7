//! The result of a match and how much it proves.

/// Wins, draws and losses of the first player.
///
/// ```
/// use skewer_lab::standing::Standing;
///
/// let standing = Standing { wins: 30, draws: 20, losses: 10 };
/// assert!((standing.score() - 2.0 / 3.0).abs() < 1e-9);
/// assert!((standing.elo() - 120.0).abs() < 1.0);
/// assert!(standing.confidence() > 0.99);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Standing {
    /// Counts a game: positive if won, 0 if drawn, negative if lost.
    pub fn add(&mut self, result: i32) {
        match result {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Games played.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points by games, 0 to 1; a half where none was played.
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games())
    }

    /// The difference in Elo that the score stands for, cut off at 1000 either way.
    pub fn elo(self) -> f64 {
        let score = self.score().clamp(1e-9, 1.0 - 1e-9);
        (-400.0 * (1.0 / score - 1.0).log10()).clamp(-1000.0, 1000.0)
    }

    /// How sure it is that the first player is the better one, 0 to 1, from the games that were
    /// not drawn.
    pub fn confidence(self) -> f64 {
        let (wins, losses) = (f64::from(self.wins), f64::from(self.losses));
        if wins + losses == 0.0 {
            return 0.5;
        }
        normal((wins - losses) / (wins + losses).sqrt())
    }

    /// `+30 =20 -10`.
    pub fn summary(self) -> String {
        format!("+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// The share of the normal distribution below `x`, to about seven places (the rational
/// approximation 26.2.17 of Abramowitz and Stegun, 1964).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let coefficients = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let sum = coefficients.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_the_known_one() {
        for (x, share) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (-1.96, 0.024_998),
            (3.0, 0.998_650),
        ] {
            assert!((normal(x) - share).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn nothing_played_proves_nothing() {
        let standing = Standing::default();
        assert!((standing.elo()).abs() < 1e-9);
        assert!((standing.confidence() - 0.5).abs() < 1e-9);
    }
}
