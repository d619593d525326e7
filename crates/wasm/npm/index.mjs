import "./skewer-chess.js";

// Node gives the script to `import` as CommonJS, browsers run it for its global object.
const skewer = globalThis.Skewer ?? (await import("./skewer-chess.js")).default;
const base = import.meta.url.startsWith("file:") && globalThis.process ? undefined : import.meta.url;

export const { Engine, parse } = skewer;
export const load = options => skewer.load({ base, ...options });
export const start = async ({ program, ...options } = {}) => Engine.start({ program: program ?? await load(options) });
export default { Engine, load, parse, start };
