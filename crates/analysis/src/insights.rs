//! Aggregate figures over all games: by player, opponent, opening, colour, phase, rating difference, time control, time
//! left, time spent, piece, position and month; conversions, motifs and recurring mistakes.
//!
//! Every sum is kept in whole numbers (hundredths), so that the result does not depend on the
//! order of the games.

mod figures;
mod groups;
mod mistakes;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use skewer_movegen::Color;

pub use figures::Figures;
pub use mistakes::{Motifs, Place, Recurring};

use crate::judged::{Counted, JudgedGame};
use crate::params::SUMMARY_SCHEMA;
use crate::standing::Standing;
use figures::Sums;
use groups::Key;
use mistakes::{MotifSums, RecurringSums};

/// The names of the player whose games are also aggregated separately. Names are compared without
/// regard to case and surrounding blanks.
#[derive(Clone, Debug, Default)]
pub struct Player(Vec<String>);

impl Player {
    /// A player with these names; `None` without a name.
    pub fn new(names: &[String]) -> Option<Self> {
        let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        (!names.is_empty()).then_some(Self(names))
    }

    /// Whether this is one of the names.
    pub fn is(&self, name: &str) -> bool {
        let name = name.trim().to_lowercase();
        self.0.iter().any(|own| own.to_lowercase() == name)
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.0
    }
}

/// The aggregates of a run.
#[derive(Debug)]
pub struct Insights {
    settings: String,
    games: u64,
    bad: u64,
    all: Scope,
    player: Option<(Player, Scope)>,
}

impl Insights {
    /// No games yet.
    pub fn new(settings: &str, player: Option<Player>) -> Self {
        Self {
            settings: settings.to_owned(),
            games: 0,
            bad: 0,
            all: Scope::default(),
            player: player.map(|player| (player, Scope::default())),
        }
    }

    /// The same aggregates, with only these labels counted.
    pub fn counting(mut self, counted: Counted) -> Self {
        let scopes = std::iter::once(&mut self.all);
        for scope in scopes.chain(self.player.as_mut().map(|(_, scope)| scope)) {
            scope.counted = counted;
        }
        self
    }

    /// Adds a game.
    pub fn game(&mut self, game: &JudgedGame) {
        self.games += 1;
        let counted = self
            .all
            .add(game, Color::White, groups::GroupBy::Player, &HashSet::new());
        self.all
            .add(game, Color::Black, groups::GroupBy::Player, &counted);
        if let Some((player, scope)) = &mut self.player {
            for color in Color::ALL
                .into_iter()
                .filter(|&color| player.is(game.player(color)))
            {
                scope.add(game, color, groups::GroupBy::Opponent, &HashSet::new());
            }
        }
    }

    /// Counts a game that could not be read.
    pub fn bad(&mut self) {
        self.bad += 1;
    }

    /// Games that were analysed.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The player for whom separate aggregates were wanted, if none of the games is a game of this player.
    pub fn player_not_found(&self) -> Option<&Player> {
        let (player, scope) = self.player.as_ref()?;
        (scope.total.games == 0).then_some(player)
    }

    /// The aggregates as they are written.
    pub fn summary(&self) -> Summary<'_> {
        Summary {
            schema: SUMMARY_SCHEMA,
            settings: &self.settings,
            games: self.games,
            bad_games: self.bad,
            all: self.all.summary(&[]),
            player: self
                .player
                .as_ref()
                .map(|(player, scope)| scope.summary(player.names())),
        }
    }
}

/// The aggregates, ready to be written.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    schema: &'static str,
    settings: &'a str,
    /// Games that were analysed.
    pub games: u64,
    /// Games that could not be read.
    pub bad_games: u64,
    /// Both players of every game.
    pub all: ScopeSummary,
    /// One player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<ScopeSummary>,
}

impl Summary<'_> {
    /// The scopes and their names.
    pub fn scopes(&self) -> impl Iterator<Item = (&'static str, &ScopeSummary)> {
        std::iter::once(("all", &self.all))
            .chain(self.player.as_ref().map(|scope| ("player", scope)))
    }
}

/// Aggregates over the moves of one or all players.
#[derive(Debug, Serialize)]
pub struct ScopeSummary {
    /// The names of the player; none for all players.
    pub names: Vec<String>,
    /// Everything together.
    pub total: Figures,
    /// The figures of the groups of each dimension.
    pub groups: BTreeMap<&'static str, Vec<Group>>,
    /// How games with won or lost positions ended.
    pub conversions: Conversions,
    /// Kinds of mistakes, most costly first.
    pub motifs: Vec<Motifs>,
    /// Mistakes made more than once in the same position, most costly first.
    pub recurring: Vec<Recurring>,
}

/// One group of a dimension.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// How games ended in which the player was to move in a won or a lost position. A game with both counts once for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Conversions {
    /// Games in which the player had a won position.
    pub winning: u64,
    /// Of these, won.
    pub converted: u64,
    /// Of these, drawn.
    pub winning_drawn: u64,
    /// Of these, lost.
    pub winning_lost: u64,
    /// Games in which the player had a lost position.
    pub losing: u64,
    /// Of these, drawn or won.
    pub saved: u64,
    /// Of these, won.
    pub losing_won: u64,
}

impl Conversions {
    fn add(&mut self, game: &JudgedGame, color: Color, points: Option<u64>) {
        let Some(points) = points else { return };
        let met = |standing| game.played(color).any(|(_, mv)| mv.standing == standing);
        if met(Standing::Winning) {
            self.winning += 1;
            match points {
                2 => self.converted += 1,
                1 => self.winning_drawn += 1,
                _ => self.winning_lost += 1,
            }
        }
        if met(Standing::Losing) {
            self.losing += 1;
            self.saved += u64::from(points > 0);
            self.losing_won += u64::from(points == 2);
        }
    }
}

/// Sums over the moves of one or all players.
#[derive(Debug, Default)]
struct Scope {
    counted: Counted,
    total: Sums,
    groups: HashMap<Key, Sums>,
    conversions: Conversions,
    motifs: MotifSums,
    recurring: RecurringSums,
}

impl Scope {
    /// Adds the moves of one player of a game. Over all players, White's moves are added before Black's. A group that
    /// is not of a player counts the game once, with White's result: `counted` are the groups that counted the game
    /// with White's moves. Returns the groups that now count the game.
    fn add(
        &mut self,
        game: &JudgedGame,
        color: Color,
        by: groups::GroupBy,
        counted: &HashSet<Key>,
    ) -> HashSet<Key> {
        let own = Sums::of_game(game, color);
        let is_second = by == groups::GroupBy::Player && color == Color::Black;
        let white = Sums::of_game(game, Color::White);
        let results = |key: &Key| match (is_second && !key.is_of_player(), counted.contains(key)) {
            (false, _) => own,
            (true, false) => white,
            (true, true) => Sums::default(),
        };
        let mut moves = Sums::default();
        let mut touched: HashMap<Key, Sums> = HashMap::new();
        let of_game = groups::of_game(game, color, by);
        for (index, mv) in game.played(color) {
            let label = self.counted.label(mv);
            moves.add_move(mv, label);
            for key in groups::of_move(mv) {
                touched.entry(key).or_default().add_move(mv, label);
            }
            if label.is_some() {
                let place = Place {
                    game: game.origin.number,
                    ply: index as u32 + 1,
                };
                self.motifs.add(mv, place);
                self.recurring.add(&game.line.boards[index], mv, place);
            }
        }
        // Every move of the player belongs to the groups of the game.
        touched.extend(of_game.into_iter().map(|key| (key, moves)));
        for (key, sums) in &touched {
            let all = self.groups.entry(key.clone()).or_default();
            *all += *sums;
            *all += results(key);
        }
        self.conversions.add(game, color, own.points());
        self.total += moves;
        if !is_second {
            self.total += own;
        }
        touched.into_keys().collect()
    }

    fn summary(&self, names: &[String]) -> ScopeSummary {
        let mut sorted: Vec<(&Key, &Sums)> = self.groups.iter().collect();
        sorted.sort_by(|(a, x), (b, y)| a.order(x.games).cmp(&b.order(y.games)));
        let mut groups: BTreeMap<&'static str, Vec<Group>> = BTreeMap::new();
        for (key, sums) in sorted {
            groups.entry(key.dimension.into()).or_default().push(Group {
                name: key.name.clone().into_owned(),
                figures: Figures::from(*sums),
            });
        }
        ScopeSummary {
            names: names.to_vec(),
            total: Figures::from(self.total),
            groups,
            conversions: self.conversions,
            motifs: self.motifs.summary(),
            recurring: self.recurring.summary(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_names_in_any_case() {
        let player =
            Player::new(&["Carlsen, Magnus".to_owned(), " DrNykterstein ".to_owned()]).unwrap();
        assert!(player.is("carlsen, magnus") && player.is("DRNYKTERSTEIN "));
        assert!(!player.is("Carlsen"));
        assert!(Player::new(&[]).is_none());
    }
}
