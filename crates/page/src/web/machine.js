// The program of the analysis in a worker: `new Machine(module, files)`, where files are { name, bytes }. `ask`, `text`
// and `bytes` send a request, and give the answer as parsed JSON, as text, or as bytes. Runs in browsers and in Node.
const Machine = (() => {
  // Runs in the worker, to which the text of the function is sent, so it refers to nothing outside. Implements the part
  // of WASI preview 1 that the program uses: files that are only read, the standard input from the request, the
  // standard output as the answer.
  function work() {
    const BAD_DESCRIPTOR = 8, NOT_THERE = 44, UNSUPPORTED = 52, DIRECTORY = 3, REGULAR = 4;
    // The folder of the files, and the first descriptor of a file.
    const FOLDER = 3, FIRST = 4;
    const node = globalThis.process?.getBuiltinModule?.("node:worker_threads");
    const post = node ? message => node.parentPort.postMessage(message) : message => postMessage(message);
    const encoder = new TextEncoder(), decoder = new TextDecoder();
    const files = new Map(), open = new Map();
    let memory, program, input = [], head = 0, part = null, output = [], errors = "", next = FIRST;

    const view = () => new DataView(memory.buffer);
    const parts = (at, count) => Array.from({ length: count }, (_, i) => new Uint8Array(memory.buffer, view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
    const text = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at, length));

    // Some bytes of the standard input or of a file; none at its end.
    function some(descriptor, most) {
      if (descriptor === 0) {
        if (!part?.length && head < input.length) part = encoder.encode(input[head++] + "\n");
        const bytes = part?.subarray(0, most) ?? new Uint8Array();
        part = part?.subarray(bytes.length);
        return bytes;
      }
      const file = open.get(descriptor), bytes = file.bytes.subarray(file.at, file.at + most);
      file.at += bytes.length;
      return bytes;
    }

    const wasi = {
      clock_time_get(_clock, _precision, at) { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
      environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
      environ_get: () => 0,
      random_get(at, length) { crypto.getRandomValues(new Uint8Array(memory.buffer, at, length)); return 0; },
      fd_prestat_get(descriptor, at) {
        if (descriptor !== FOLDER) return BAD_DESCRIPTOR;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true);
        return 0;
      },
      fd_prestat_dir_name(_descriptor, at) { new Uint8Array(memory.buffer, at, 1)[0] = "/".charCodeAt(0); return 0; },
      path_open(_folder, _lookup, at, length, _flags, _rights, _inherited, _mode, opened) {
        const bytes = files.get(text(at, length));
        if (!bytes) return NOT_THERE;
        open.set(next, { bytes, at: 0 });
        view().setUint32(opened, next++, true);
        return 0;
      },
      // Describes the folder, or a file in it: its kind, no flags, and all rights.
      fd_fdstat_get(descriptor, at) {
        view().setUint8(at, descriptor === FOLDER ? DIRECTORY : REGULAR);
        view().setUint16(at + 2, 0, true);
        view().setBigUint64(at + 8, ~0n, true);
        view().setBigUint64(at + 16, ~0n, true);
        return 0;
      },
      fd_close(descriptor) { open.delete(descriptor); return 0; },
      fd_read(descriptor, at, count, size) {
        if (descriptor !== 0 && !open.has(descriptor)) return BAD_DESCRIPTOR;
        let total = 0;
        for (const room of parts(at, count)) {
          const bytes = some(descriptor, room.length);
          room.set(bytes);
          total += bytes.length;
          if (bytes.length < room.length) break;
        }
        view().setUint32(size, total, true);
        return 0;
      },
      fd_write(descriptor, at, count, size) {
        let total = 0;
        for (const bytes of parts(at, count)) {
          if (descriptor === 1) output.push(bytes.slice()); else errors += decoder.decode(bytes);
          total += bytes.length;
        }
        view().setUint32(size, total, true);
        return 0;
      },
      proc_exit() { throw new Error("the program has ended"); },
    };

    async function start(message) {
      for (const { name, bytes } of message.files) files.set(name, bytes);
      const imports = {};
      for (const { name } of WebAssembly.Module.imports(message.program)) imports[name] = wasi[name] ?? (() => UNSUPPORTED);
      const instance = await WebAssembly.instantiate(message.program, { wasi_snapshot_preview1: imports });
      memory = instance.exports.memory;
      instance.exports._initialize?.();
      program = instance.exports;
    }

    let started;
    async function receive(message) {
      const { id, lines } = message;
      try {
        if (message.program) { started = start(message); await started; return; }
        await started;
        [input, head, part, output, errors] = [lines, 0, null, [], ""];
        if (program.request() !== 0) throw new Error(errors.trim() || "the request has failed");
        const answer = await new Blob(output).arrayBuffer();
        post({ id, answer });
      } catch (error) {
        // After a crash the state of the program is unknown.
        post({ id, error: errors.trim() || error.message, broken: error instanceof WebAssembly.RuntimeError || id === undefined });
      }
    }
    if (node) node.parentPort.on("message", receive);
    else onmessage = ({ data }) => receive(data);
  }

  function startWorker() {
    const source = `(${work})()`;
    const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");
    if (threads) {
      const worker = new threads.Worker(source, { eval: true, resourceLimits: { stackSizeMb: 16 } });
      const own = { postMessage: message => worker.postMessage(message), terminate: () => worker.terminate() };
      worker.on("message", data => own.onmessage({ data }));
      worker.on("error", error => own.onerror(error));
      return own;
    }
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    return worker;
  }

  return class {
    #worker; #waiting = new Map(); #next = 0; #ended = null;

    constructor(program, files) {
      this.#worker = startWorker();
      this.#worker.onmessage = ({ data }) => {
        if (data.broken) { this.end(data.error); return; }
        const call = this.#waiting.get(data.id);
        this.#waiting.delete(data.id);
        if (data.error) call.reject(new Error(data.error)); else call.resolve(data.answer);
      };
      this.#worker.onerror = error => this.end(error.message || "the browser does not allow the worker");
      this.#worker.postMessage({ program, files });
    }

    // The answer as bytes. `more` are lines after the request.
    bytes(request, more = []) {
      if (this.#ended) return Promise.reject(new Error(this.#ended));
      const id = this.#next++;
      return new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#worker.postMessage({ id, lines: [typeof request === "string" ? request : JSON.stringify(request), ...more] });
      });
    }

    // The answer as text.
    async text(request, more) {
      return new TextDecoder().decode(await this.bytes(request, more)).trimEnd();
    }

    async ask(request) {
      return JSON.parse(await this.text(request));
    }

    // Ends the worker; requests without an answer fail.
    end(reason = "stopped") {
      this.#ended = reason;
      this.#worker.terminate();
      for (const call of this.#waiting.values()) call.reject(new Error(reason));
      this.#waiting.clear();
    }
  };
})();
