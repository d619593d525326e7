// The games of a player, from the public interfaces of lichess.org and chess.com. `fetchGames` returns { text, games,
// note }: the games as PGN, newest first, their number, and a remark for the user.
const sites = (() => {
  // The most requests for one address while its site asks for pauses, and the seconds of a pause if the site does not
  // say.
  const TRIES = 3, PAUSE = 60;
  const ADDRESSES = { lichess: "https://lichess.org", chesscom: "https://api.chess.com" };
  // Time controls by the words of each site. chess.com counts what lichess calls classical as rapid.
  const LICHESS = { "": "ultraBullet,bullet,blitz,rapid,classical,correspondence,chess960", bullet: "ultraBullet,bullet" };
  const CHESSCOM = { bullet: "bullet", blitz: "blitz", rapid: "rapid", correspondence: "daily" };

  const sleep = (seconds, signal) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });

  // The answer of an address. Waits when the site asks for that.
  async function ask(url, accept, { player, signal, say }) {
    for (let tried = 1; ; tried++) {
      let answer;
      try {
        answer = await fetch(url, { headers: { Accept: accept }, signal, credentials: "omit", referrerPolicy: "no-referrer" });
      } catch (error) {
        if (signal.aborted) throw error;
        throw new Error(`${url.origin} cannot be reached: there is no network, or the address does not answer web pages`);
      }
      if (answer.ok) return answer;
      if (answer.status === 404) throw new Error(`${url.host} has no player ${player}`);
      if (answer.status === 410) throw new Error(`${url.host} no longer has the games of ${player}`);
      if (answer.status !== 429 || tried === TRIES) throw new Error(answer.status === 429 ? `${url.host} has had too many requests; try again later` : `${url.host} answers ${answer.status}`);
      const asked = Number(answer.headers.get("Retry-After"));
      const seconds = asked > 0 ? Math.min(asked, 600) : PAUSE;
      for (let left = Math.ceil(seconds); left > 0; left--) { say(`${url.host} asks for a pause: ${left} s`); await sleep(Math.min(1, seconds), signal); }
    }
  }

  // The text of an answer, and whether it was cut.
  async function read(answer, signal, say) {
    const reader = answer.body.getReader(), decoder = new TextDecoder();
    let text = "";
    try {
      for (let step; !(step = await reader.read()).done; ) { text += decoder.decode(step.value, { stream: true }); say(text); }
      return { text: text + decoder.decode(), cut: false };
    } catch (error) {
      if (signal.aborted) throw error;
      return { text, cut: true };
    }
  }

  const count = text => (text.match(/^\[Event /gm) || []).length;

  // The games of a text that are whole: a game ends in a result.
  function whole(text) {
    const games = text.split(/^(?=\[Event )/m).filter(game => game.startsWith("[Event "));
    if (games.length && !/(?:1-0|0-1|1\/2-1\/2|\*)\s*$/.test(games.at(-1))) games.pop();
    return games.join("");
  }

  async function lichess(wanted, use) {
    const url = new URL(`/api/games/user/${encodeURIComponent(wanted.player)}`, wanted.address);
    const query = { max: wanted.most, perfType: LICHESS[wanted.speed] ?? wanted.speed, clocks: true, evals: false, opening: false, finished: true };
    if (wanted.rated) query.rated = wanted.rated;
    if (wanted.since) query.since = wanted.since;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await ask(url, "application/x-chess-pgn", { ...use, player: wanted.player });
    const { text, cut } = await read(answer, use.signal, text => use.say(`${count(text)} games so far`));
    // If a connection ends early, some servers end the answer as if it were whole.
    const games = whole(text);
    return { text: games, note: cut || games.length < text.trimEnd().length ? "The answer was cut; the games up to there are kept." : "" };
  }

  async function chesscom(wanted, use) {
    const kind = CHESSCOM[wanted.speed];
    if (wanted.speed && !kind) throw new Error("chess.com has no classical games: it counts them as rapid");
    const at = path => new URL(path, wanted.address), given = { ...use, player: wanted.player };
    const json = async path => (await ask(at(path), "application/json", given)).json();
    const { archives } = await json(`/pub/player/${encodeURIComponent(wanted.player.toLowerCase())}/games/archives`);
    const found = [];
    let note = "";
    for (const archive of [...archives].reverse()) {
      // Ask the address that the user has chosen, whatever address the answer names.
      const path = new URL(archive).pathname, [, year, month] = /\/(\d{4})\/(\d{2})$/.exec(path) || [];
      if (!month || Date.UTC(year, month) <= wanted.since) break;
      let games;
      try {
        ({ games } = await json(path));
      } catch (error) {
        if (use.signal.aborted || !found.length) throw error;
        note = `The answer was cut (${error.message}); the games of later months are kept.`;
        break;
      }
      const fits = game => ["chess", "chess960"].includes(game.rules) && game.pgn && (!kind || game.time_class === kind)
        && (!wanted.rated || String(game.rated) === wanted.rated) && 1000 * game.end_time >= wanted.since;
      found.push(...games.filter(fits).reverse());
      use.say(`${Math.min(found.length, wanted.most)} games so far`);
      if (found.length >= wanted.most) break;
    }
    return { text: found.slice(0, wanted.most).map(game => game.pgn.trim() + "\n\n").join(""), note };
  }

  // `wanted` is { site, address, player, most, rated, speed, since }, the last in milliseconds since 1970 or 0.
  async function fetchGames(wanted, use) {
    const { text, note } = await (wanted.site === "lichess" ? lichess : chesscom)(wanted, use);
    const games = count(text);
    if (!games) throw new Error(note || `${wanted.player} has no such games`);
    return { text, games, note };
  }

  return { fetchGames, ADDRESSES };
})();
