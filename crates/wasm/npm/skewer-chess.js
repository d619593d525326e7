// Skewer, a UCI chess engine, for web pages and Node.
//
//   new Worker("skewer-chess.js")    takes UCI commands by postMessage and posts lines of UCI
//   <script src="skewer-chess.js">   or require("skewer-chess"): the object Skewer; see index.d.ts
//
// The engine searches in a worker of its own. Where that worker can look for messages during a search (Node,
// and browsers in which WebAssembly can wait for a promise), it executes `stop` and the like itself.
// Elsewhere `Engine` ends the worker, answers from its last line, and starts another.
(() => {
  "use strict";

  // Compressed files of the package in base64, by name; in skewer-chess-single.js alone.
  const EMBEDDED = {};

  // Runs in the worker of the engine, to which the text of the function is sent, so it refers to nothing outside.
  // Implements the part of WASI preview 1 that the program uses. Receives { program } and then { line };
  // posts { listens }, { line } for lines of output, { done, ended, failed } with the number of commands executed so
  // far, whether the engine has quit and whether a command has failed, and { failure }.
  function work() {
    // Milliseconds between two looks for messages during a search.
    const INTERVAL = 15;
    const UNSUPPORTED = 52, BAD_DESCRIPTOR = 8;
    const node = globalThis.process?.getBuiltinModule?.("node:worker_threads");
    const post = node ? message => node.parentPort.postMessage(message) : message => postMessage(message);
    const suspends = !node && typeof WebAssembly.Suspending === "function";
    // Nothing can come during a search. The program is then given one line at a time, so that { done } tells the page
    // which command runs: the page must know this to end a search.
    const isDeaf = !node && !suspends;
    let given = false;
    const encoder = new TextEncoder(), decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
    let memory, serve, hasFailed, started, input = [], head = 0, read = 0, barrier = 0, received = 0;
    let output = "", errors = "", serving = false, looked = 0;

    const view = () => new DataView(memory.buffer);
    const parts = (at, count) => Array.from({ length: count }, (_, i) => new Uint8Array(memory.buffer, view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));

    // Commands that a `stop` must not overtake: commands that it may be meant to stop, and commands that are refused
    // during a search. The engine finds them after other words, too.
    const ORDERED = /\b(go|bench|perft|genfens|ponderhit|stop|quit|exit|ucinewgame|flip|eval)\b/i;

    // input[head..] are the lines that have come and wait. A `stop` goes before the other lines, so that it need not
    // wait until they are answered; a second `stop` there would have no effect. `barrier` is the place after the last
    // line that a `stop` must not overtake. The place is kept, because to find it anew for each stop would take long.
    function take({ line }) {
      received += 1;
      const isStop = line === "stop";
      const at = isStop ? Math.min(input.length, Math.max(barrier, head + 1)) : input.length;
      if (isStop && at > head && input[at - 1].line === "stop") return;
      input.splice(at, 0, { line, bytes: encoder.encode(line + "\n") });
      if (ORDERED.test(line)) barrier = at + 1;
    }

    const waits = () => head < input.length;

    // Drops the first line. The array is cut now and then only, because `shift` would move all other lines each time.
    function drop() {
      input[head] = undefined;
      head += 1;
      read = 0;
      if (2 * head >= input.length) { input = input.slice(head); barrier = Math.max(barrier - head, 0); head = 0; }
    }

    // Copies bytes that wait into the buffers of the program.
    function give(at, count, size) {
      let total = 0;
      for (const part of parts(at, count)) {
        if (!waits() || given) break;
        const { bytes } = input[head], some = bytes.subarray(read, read + part.length);
        part.set(some);
        total += some.length;
        read += some.length;
        if (read === bytes.length) { drop(); given = isDeaf; }
      }
      view().setUint32(size, total, true);
      return 0;
    }

    // Lets the messages that have come be received.
    const channel = suspends && new MessageChannel();
    const pause = () => new Promise(resume => { channel.port1.onmessage = resume; channel.port2.postMessage(0); });

    const wasi = {
      clock_time_get(_clock, _precision, at) { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
      environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
      environ_get: () => 0,
      fd_prestat_get: () => BAD_DESCRIPTOR,
      random_get(at, length) { crypto.getRandomValues(new Uint8Array(memory.buffer, at, length)); return 0; },
      fd_read(_descriptor, at, count, size) {
        const now = performance.now();
        if (!waits() && now - looked >= INTERVAL) {
          looked = now;
          if (node) for (let found; (found = node.receiveMessageOnPort(node.parentPort)); ) take(found.message);
          if (suspends) return pause().then(() => give(at, count, size));
        }
        return give(at, count, size);
      },
      fd_write(descriptor, at, count, size) {
        let total = 0, text = "";
        for (const part of parts(at, count)) { text += decoders[descriptor].decode(part, { stream: true }); total += part.length; }
        view().setUint32(size, total, true);
        if (descriptor === 2) { errors += text; return 0; }
        const lines = (output + text).split("\n");
        output = lines.pop();
        for (const line of lines) post({ line });
        return 0;
      },
      proc_exit() { throw new Error("the engine has ended"); },
    };

    async function start(program) {
      const imports = {};
      for (const { name } of WebAssembly.Module.imports(program)) imports[name] = wasi[name] ?? (() => UNSUPPORTED);
      if (suspends) imports.fd_read = new WebAssembly.Suspending(wasi.fd_read);
      const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: imports });
      memory = instance.exports.memory;
      instance.exports._initialize?.();
      // A report may have been given the program of an earlier version, which does not say this.
      hasFailed = instance.exports.failed;
      serve = suspends ? WebAssembly.promising(instance.exports.serve) : instance.exports.serve;
      post({ listens: Boolean(node) || suspends });
    }

    async function receive(message) {
      try {
        if (message.program) { started = start(message.program); await started; return; }
        take(message);
        await started;
        if (serving) return;
        serving = true;
        while (waits()) {
          looked = performance.now();
          given = false;
          const ended = await serve();
          post({ done: received - (input.length - head), ended: ended !== 0, failed: hasFailed?.() === 1 });
        }
        serving = false;
      } catch (error) {
        post({ failure: (errors.trim() || error.message).split("\n").join(" ") });
      }
    }
    if (node) node.parentPort.on("message", receive);
    else onmessage = ({ data }) => receive(data);
  }

  const builtin = name => globalThis.process?.getBuiltinModule?.(`node:${name}`);
  const here = typeof __dirname === "string" ? __dirname : globalThis.document?.currentScript?.src ?? globalThis.location?.href;

  // A worker with `onmessage`, whichever the system is.
  function startWorker() {
    const text = `(${work})()`;
    const threads = builtin("worker_threads");
    if (threads) {
      const worker = new threads.Worker(text, { eval: true, resourceLimits: { stackSizeMb: 16 } });
      const own = { onmessage: null, postMessage: message => worker.postMessage(message), terminate: () => worker.terminate() };
      worker.on("message", data => own.onmessage({ data }));
      worker.on("error", error => own.onmessage({ data: { failure: error.message } }));
      return own;
    }
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onerror = event => worker.onmessage({ data: { failure: event.message || "the browser does not allow the worker" } });
    return worker;
  }

  // A module that needs vectors of 128 bits: a function that drops `v128.const`.
  const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12, ...Array(16).fill(0), 26, 11];
  const hasVectors = () => WebAssembly.validate(new Uint8Array(VECTORS));

  // The bytes of a file that this script carries, or that lies in the folder `base` (a path in Node) or beside the
  // address `base`.
  async function read(base, name) {
    if (EMBEDDED[name]) {
      const packed = new Blob([Uint8Array.from(atob(EMBEDDED[name]), letter => letter.charCodeAt(0))]);
      return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    }
    const fs = builtin("fs/promises");
    // A path, which only Node has: a scheme has at least two letters, a drive of Windows one.
    if (fs && !/^[a-z][a-z\d+.-]+:/i.test(base)) return fs.readFile(builtin("path").join(base, name));
    const address = new URL(name, base);
    if (fs && address.protocol === "file:") return fs.readFile(address);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  // A program from its part, which lacks the network, and the program that has it. The last twelve bytes of the part say
  // where the network lies, how many bytes it has, and where they belong. Not for users of the package.
  function join(part, whole) {
    const end = part.length - 12, numbers = new DataView(part.buffer, part.byteOffset + end);
    const [from, length, at] = [0, 4, 8].map(offset => numbers.getUint32(offset, true));
    const program = new Uint8Array(end + length);
    program.set(part.subarray(0, at));
    program.set(whole.subarray(from, from + length), at);
    program.set(part.subarray(at, end), at + length);
    return program;
  }

  // The program for this system, compiled. `base` says where the programs lie, as for `read`.
  async function load(options = {}) {
    const { base = here, vectors = hasVectors() } = optionsObject(options);
    const names = vectors ? ["skewer.wasm"] : ["skewer.wasm", "skewer-plain.part"];
    const [whole, part] = await Promise.all(names.map(name => read(base, name)));
    return WebAssembly.compile(part ? join(part, whole) : whole);
  }

  // Milliseconds after `stop` at which a worker that cannot listen is ended.
  const GRACE = 20;
  const word = line => line.split(/\s+/, 1)[0];
  const isLong = line => ["go", "bench", "perft", "genfens"].includes(word(line));

  // A list whose first item is removed in constant time.
  class Queue {
    #items = []; #head = 0;
    push(item) { this.#items.push(item); }
    get length() { return this.#items.length - this.#head; }
    get first() { return this.#items[this.#head]; }
    get last() { return this.length ? this.#items.at(-1) : undefined; }
    all() { return this.#items.slice(this.#head); }
    shift() {
      if (!this.length) return undefined;
      const first = this.#items[this.#head];
      this.#items[this.#head] = undefined;
      this.#head += 1;
      if (2 * this.#head >= this.#items.length) { this.#items = this.all(); this.#head = 0; }
      return first;
    }
  }

  // Arguments of `analyse` and `setOption` become part of a command, and must not add a second command.
  function text(value, name) {
    if (typeof value !== "string") throw new TypeError(`${name}: a text is needed, not ${typeof value}`);
    if (/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/.test(value)) throw new TypeError(`${name}: a text of one line is needed, without control characters`);
    // Half of a character would reach the engine as another one.
    if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name}: a text of whole characters is needed`);
    return value;
  }

  // A keyword of the command within an argument would begin another part of the command.
  function withoutWord(value, name, word) {
    if (text(value, name).split(/\s+/).some(part => part.toLowerCase() === word)) throw new TypeError(`${name}: "${word}" is a word of the command`);
    return value;
  }

  // A value that is not an object would have no options at all, which means a search without limits.
  function optionsObject(value) {
    const isOther = () => Symbol.iterator in value || typeof value.then === "function";
    if (typeof value !== "object" || value === null || isOther()) throw new TypeError("options: an object is needed");
    return value;
  }

  // The options of `analyse`. A name that is misspelt would be a limit that is missing.
  const NAMES = ["moves", "lines", "nodes", "depth", "movetime", "mate", "searchmoves", "signal", "onLine"];
  function searchOptions(value) {
    const unknown = Object.keys(optionsObject(value)).find(name => !NAMES.includes(name));
    if (unknown !== undefined) throw new TypeError(`options: there is no option ${JSON.stringify(unknown)}`);
    return value;
  }

  function whole(value, name, least) {
    if (Number.isSafeInteger(value) && value >= least) return value;
    // An object is not shown, because its own `toString` may return anything.
    const given = ["number", "bigint"].includes(typeof value) ? value : `a value of type ${typeof value}`;
    throw new TypeError(`${name}: a whole number from ${least} is needed, not ${given}`);
  }

  function moveList(moves, name) {
    if (!Array.isArray(moves)) throw new TypeError(`${name}: a list of moves is needed`);
    return Array.from(moves, move => {
      if (typeof move !== "string" || !/^[a-h][1-8][a-h][1-8][nbrqNBRQ]?$/.test(move)) throw new TypeError(`${name}: moves are written like "e2e4" or "e7e8q"`);
      return move;
    });
  }

  // The engine skips a longer line, and `analyse` would wait for the answer to a `go` that was never read.
  const MAX_LINE_BYTES = 1 << 20;
  function shortEnough(command) {
    if (command.length > MAX_LINE_BYTES || new TextEncoder().encode(command).length > MAX_LINE_BYTES) {
      throw new TypeError(`the arguments make a command of more than ${MAX_LINE_BYTES} bytes`);
    }
    return command;
  }

  // Refuses a number out of range, which the engine would replace by the nearest one of the range. `ranges` has the
  // ranges by the names of the options in small letters. `shown` is the name that the caller knows.
  function inRange(ranges, option, value, shown) {
    const [least, most] = ranges.get(option.trim().split(/\s+/).join(" ").toLowerCase()) ?? [];
    const number = /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : NaN;
    if (number > most) throw new RangeError(`${shown}: at most ${most}`);
    if (number < least) throw new RangeError(`${shown}: at least ${least}`);
  }

  // How the engine goes on after a remark. A call that is refused does not go on, so its error leaves this out.
  const GOES_ON = /; (all moves are searched|corrected|it is searched all the same|there is no position now)$/;
  const refusal = remark => remark.replace(GOES_ON, "");

  function optionValue(value) {
    if (typeof value === "boolean") return String(value);
    if (typeof value === "number") return String(whole(value, "value", Number.MIN_SAFE_INTEGER));
    return text(value, "value");
  }

  class Engine {
    #program; #make; #worker; #listens = true;
    // Commands that the worker has not executed yet, as { line }; the commands among them that take long and have no
    // answer yet; whether the worker restores its state.
    #waiting = new Queue(); #long = new Queue(); #silent = false; #done = 0;
    // The commands that restore the state: the last value of each option, the position, and `debug`.
    #options = new Map(); #position = []; #debug = [];
    // The best line of the search that runs, and whether its worker is to be ended.
    #best = ""; #ending = false;
    #listeners = new Set(); #idle = []; #ended = false; #failed = false; #started; #last = Promise.resolve();
    // The least and the greatest number of each option that is a number; null until they are needed.
    #ranges = null;

    constructor(program, make) {
      this.#program = program;
      this.#make = make;
      this.#start();
    }

    // Starts the engine. `program` is its module, compiled; see `load`.
    static async start(options = {}) {
      const { program, worker = startWorker, ...where } = optionsObject(options);
      const engine = new Engine(program ?? await load(where), worker);
      await engine.#started;
      return engine;
    }

    #start() {
      const worker = this.#worker = this.#make();
      this.#done = 0;
      this.#started = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          if (worker !== this.#worker) return;
          if ("line" in data) this.#receive(data.line);
          if ("done" in data) this.#executed(data);
          if ("listens" in data) { this.#listens = data.listens; resolve(); }
          if ("failure" in data) { this.#fail(data.failure); reject(new Error(data.failure)); }
        };
      });
      // Without a handler a failure would be reported as an unhandled rejection.
      this.#started.catch(() => {});
      try {
        worker.postMessage({ program: this.#program });
      } catch (error) {
        // The program cannot be sent to a worker.
        worker.terminate();
        throw error;
      }
    }

    #say(line) {
      for (const listener of [...this.#listeners]) {
        // What a listener throws is reported as usual, and keeps nothing from the others.
        try { listener(line); } catch (error) { queueMicrotask(() => { throw error; }); }
      }
    }

    #fail(reason) {
      this.#failed = true;
      this.#say(`info string the engine has failed: ${reason}`);
      this.quit();
    }

    #receive(line) {
      if (this.#silent) { this.#silent = line !== "readyok"; return; }
      // A remark begins with `info string`, and may quote such words.
      if (/^info depth .* multipv 1 .* pv /.test(line) && !/ (lower|upper)bound /.test(line)) this.#best = line;
      if (line.startsWith("bestmove ")) {
        const command = this.#long.shift();
        // An answered command neither restores the state nor is sent again.
        if (command) command.line = "";
        this.#ending = false;
      }
      this.#say(line);
    }

    #executed({ done, ended, failed }) {
      this.#failed ||= failed;
      for (; this.#done < done; this.#done += 1) {
        const command = this.#waiting.shift() ?? { line: "" };
        if (this.#long.first === command) { this.#long.shift(); this.#ending = false; }
        this.#remember(command.line);
      }
      if (ended) this.quit();
      if (!this.#waiting.length) for (const resume of this.#idle.splice(0)) resume();
    }

    #remember(line) {
      const kind = word(line);
      if (kind === "setoption") {
        const words = line.toLowerCase().split(/\s+/), value = words.indexOf("value");
        this.#options.set(words.slice(words.indexOf("name") + 1, value < 0 ? undefined : value).join(" "), line);
      }
      if (kind === "position") this.#position = [line];
      if (kind === "flip") this.#position.push(line);
      if (kind === "debug") this.#debug = [line];
    }

    // Sends a line. When it has been executed, `remembered` is stored to restore the state: the line itself
    // by default.
    #post(line, remembered = line) {
      const command = { line: remembered };
      this.#waiting.push(command);
      if (isLong(remembered)) this.#long.push(command);
      this.#worker.postMessage({ line });
    }

    // Starts the worker anew, with the state of the old one and these commands.
    #restart(commands) {
      this.#worker.terminate();
      const state = [...this.#options.values(), ...this.#debug, ...this.#position];
      this.#waiting = new Queue();
      this.#long = new Queue();
      // Answers to the commands that restore the state are not shown.
      this.#silent = true;
      this.#ending = false;
      this.#start();
      for (const line of [...state, "isready"]) this.#post(line, "");
      for (const line of commands) this.#post(line);
    }

    // Ends a worker that searches, answers in its place, and starts another worker. Returns false if it is too early.
    #endSearch() {
      if (!this.#long.length || this.#waiting.first !== this.#long.first) return false;
      const [command, ...rest] = this.#lines();
      const search = word(command) === "go" && !/\bperft\b/.test(command);
      if (search && !this.#best) return false;
      const [best, ponder] = search ? this.#best.split(" pv ")[1].split(" ") : [];
      // Restart first, because a listener may send the next commands.
      this.#restart(rest);
      this.#say("info string the worker of the engine was ended; the hash table is empty");
      if (search) this.#say(`bestmove ${best}${ponder ? ` ponder ${ponder}` : ""}`);
      return true;
    }

    // The lines of the commands that wait and have not been answered.
    #lines() {
      return this.#waiting.all().map(command => command.line).filter(Boolean);
    }

    // Executes one UCI command, or several lines of them.
    send(commands) {
      if (typeof commands !== "string") throw new TypeError(`commands are text, not ${typeof commands}`);
      for (const part of commands.split("\n")) {
        const line = part.trim();
        if (this.#ended || !line) continue;
        if (this.#listens || !this.#long.length) { this.#begin(line); continue; }
        // If other commands wait behind the search, `isready` must wait for them.
        if (line === "isready" && this.#waiting.last === this.#long.last) this.#say("readyok");
        else if (line === "stop") this.#stopSoon();
        else if (line === "quit") this.quit();
        else if (line === "ponderhit") this.#restart(this.#lines().map(command => command.replace(/\bponder\b/, "")));
        else this.#begin(line);
      }
    }

    #begin(line) {
      if (word(line) === "go") this.#best = "";
      this.#post(line);
    }

    #stopSoon() {
      if (this.#ending) return;
      this.#ending = true;
      const worker = this.#worker;
      const end = () => { if (worker === this.#worker && this.#ending && !this.#endSearch()) setTimeout(end, 5); };
      setTimeout(end, GRACE);
    }

    // Calls `listener` with every line of output, and with null at the end. Returns a function that ends the calls.
    listen(listener) {
      if (typeof listener !== "function") throw new TypeError("listen: a function is needed");
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    }

    // Resolves when all commands so far are executed.
    idle() {
      return this.#waiting.length ? new Promise(resume => this.#idle.push(resume)) : Promise.resolve();
    }

    get ended() { return this.#ended; }

    get failed() { return this.#failed; }

    // Ends the engine.
    quit() {
      if (this.#ended) return;
      this.#ended = true;
      this.#worker.terminate();
      this.#waiting = new Queue();
      this.#long = new Queue();
      for (const resume of this.#idle.splice(0)) resume();
      this.#say(null);
    }

    // Sends commands, and resolves at a line for which `ends` is true. `use` sees this line and all lines before it.
    #until(commands, ends, use = () => {}) {
      return new Promise((resolve, reject) => {
        if (this.#ended) { reject(new Error("the engine has ended")); return; }
        let failure = "the engine has ended";
        const leave = this.listen(line => {
          if (line === null) { leave(); reject(new Error(failure)); return; }
          if (line.startsWith("info string the engine has failed")) failure = line.slice(12);
          use(line);
          if (ends(line)) { leave(); resolve(line); }
        });
        this.send(commands);
      });
    }

    // Executes commands that answer at once. Throws an error with their remarks, if there are any.
    async #set(commands) {
      const remarks = [];
      await this.#until(`${commands}\nisready`, line => line === "readyok", line => {
        if (line.startsWith("info string ")) remarks.push(line.slice(12));
      });
      if (remarks.length) throw new Error(remarks.map(refusal).join("; "));
    }

    // Throws an error if the engine would change this value of this option.
    async #check(option, value, shown = option.trim()) {
      if (!this.#ranges) {
        const ranges = new Map();
        await this.#until("uci", line => line === "uciok", line => {
          const [, name, least, most] = /^option name (.+) type spin .*min (-?\d+) max (-?\d+)/.exec(line) ?? [];
          if (name) ranges.set(name.toLowerCase(), [Number(least), Number(most)]);
        });
        this.#ranges = ranges;
      }
      inRange(this.#ranges, option, value, shown);
    }

    // Sets an option; throws if it cannot be set.
    async setOption(name, value) {
      const given = value === undefined ? "" : optionValue(value);
      const words = ["setoption name", withoutWord(name, "name", "value")];
      if (value !== undefined) words.push("value", given);
      const command = shortEnough(words.join(" "));
      return this.#turn(async () => {
        if (/^\s*[-+]?\d+\s*$/.test(given)) await this.#check(name, given);
        await this.#set(command);
      });
    }

    // Forgets what was found so far.
    newGame() {
      return this.#turn(() => this.#set("ucinewgame"));
    }

    // Ends the search that runs; `analyse` then resolves with the lines so far.
    stop() {
      this.send("stop");
    }

    // Analyses a position, after earlier calls are done.
    async analyse(fen, options = {}) {
      const { moves = [], lines = 1, nodes, depth, movetime, mate, searchmoves = [], signal, onLine } = searchOptions(options);
      const start = withoutWord(fen, "fen", "moves") === "startpos" ? fen : `fen ${fen}`;
      const played = moveList(moves, "moves"), only = moveList(searchmoves, "searchmoves");
      const limits = Object.entries({ nodes, depth, movetime, mate }).filter(([, value]) => value !== undefined);
      for (const [name, value] of limits) whole(value, name, name === "movetime" ? 0 : 1);
      if (onLine !== undefined && typeof onLine !== "function") throw new TypeError("onLine: a function is needed");
      if (signal !== undefined && typeof signal?.throwIfAborted !== "function") throw new TypeError("signal: an AbortSignal is needed");
      const position = shortEnough(`position ${start}${played.length ? ` moves ${played.join(" ")}` : ""}`);
      const go = ["go", ...limits.flat(), ...(limits.length ? [] : ["infinite"])];
      if (only.length) go.push("searchmoves", only.join(" "));
      const setup = `setoption name MultiPV value ${whole(lines, "lines", 1)}\n${position}`;
      const search = shortEnough(go.join(" "));
      return this.#turn(async () => {
        signal?.throwIfAborted();
        if (lines > 1) await this.#check("MultiPV", lines, "lines");
        return this.#analyse(setup, search, signal, onLine);
      });
    }

    #turn(task) {
      const turn = this.#last.then(task);
      this.#last = turn.catch(() => {});
      return turn;
    }

    async #analyse(setup, go, signal, onLine) {
      await this.#set(setup);
      const found = [];
      let remark = "", thrown = null;
      const stop = () => this.stop();
      signal?.addEventListener("abort", stop);
      try {
        const search = this.#until(go, line => line.startsWith("bestmove "), text => {
          // Instead of moves that are not legal, the engine would search all moves.
          if (text.startsWith("info string searchmoves: ")) { remark = refusal(text.slice(12)); stop(); }
          const line = parse(text);
          if (!line || remark || thrown) return;
          if (!line.bound) found[line.multipv - 1] = line;
          try { onLine?.(line); } catch (error) { thrown = { error }; stop(); }
        });
        if (signal?.aborted) stop();
        const [, best, , ponder] = (await search).split(" ");
        if (remark) throw new Error(remark);
        if (thrown) throw thrown.error;
        return { best: best === "(none)" ? null : best, ponder: ponder ?? null, lines: found };
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    }
  }

  // A line of analysis as an object; null for other lines.
  function parse(text) {
    if (!/^info depth \d+ .*\bscore (cp|mate) /.test(text)) return null;
    const [head, pv = ""] = text.split(" pv ");
    const words = head.split(" ");
    const after = name => { const at = words.indexOf(name); return at < 0 ? [] : words.slice(at + 1); };
    const number = name => Number(after(name)[0]);
    const [kind, value] = after("score");
    const line = { depth: number("depth"), seldepth: number("seldepth"), multipv: number("multipv"), score: { [kind]: Number(value) } };
    for (const bound of ["lower", "upper"]) if (words.includes(`${bound}bound`)) line.bound = bound;
    const [win, draw, loss] = after("wdl").map(Number);
    if (words.includes("wdl")) line.wdl = { win, draw, loss };
    for (const name of ["nodes", "nps", "hashfull", "time"]) line[name] = number(name);
    line.pv = pv.split(" ").filter(Boolean);
    return line;
  }

  const Skewer = { Engine, join, load, parse, start: options => Engine.start(options) };
  if (typeof module === "object" && module.exports) module.exports = Skewer;
  else globalThis.Skewer = Skewer;

  // The page has started this file as a worker.
  if (typeof importScripts === "function" && /\/skewer-chess(-single)?\.js$/.test(globalThis.location?.pathname ?? "")) {
    const early = [];
    let engine = null;
    const send = data => { try { engine.send(data); } catch (error) { postMessage(`info string ${error.message}`); } };
    onmessage = ({ data }) => { if (engine) send(data); else early.push(data); };
    Engine.start().then(started => {
      engine = started;
      engine.listen(line => { if (line === null) close(); else postMessage(line); });
      early.forEach(send);
    }, error => postMessage(`info string the engine cannot be started: ${error.message}`));
  }
})();
