/** The score of a line, from the side to move: in hundredths of a pawn, or in moves to mate. */
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

/** A line of analysis. */
export interface Line {
    /** The iteration, in plies. */
    depth: number;
    /** The greatest depth reached, in plies. */
    seldepth: number;
    /** Which of the best lines this is, from 1. */
    multipv: number;
    /** The score. */
    score: Score;
    /** Present if the score is not exact but a bound. */
    bound?: "lower" | "upper";
    /** The chances in thousandths, with the option `UCI_ShowWDL`. */
    wdl?: { win: number; draw: number; loss: number };
    /** Nodes searched so far. */
    nodes: number;
    /** Nodes a second. */
    nps: number;
    /** How full the hash table is, in thousandths. */
    hashfull: number;
    /** Milliseconds since the search began. */
    time: number;
    /** The moves as UCI text. */
    pv: string[];
}

/** What `analyse` searches, and how long. Without a limit it searches until it is stopped. Properties of other names
 *  are refused. */
export interface AnalyseOptions {
    /** Moves that lead from `fen` to the position to search, as UCI text; repetitions count. */
    moves?: string[];
    /** How many of the best lines to find; 1 by default, at most 256. */
    lines?: number;
    /** Nodes to search. */
    nodes?: number;
    /** The deepest iteration, in plies. */
    depth?: number;
    /** Milliseconds to search. */
    movetime?: number;
    /** Look for a mate in this many moves. */
    mate?: number;
    /** Search only these moves, as UCI text. */
    searchmoves?: string[];
    /** A signal whose abort stops the search; the analysis so far is then the result. */
    signal?: AbortSignal;
    /** Called for each line as it is found. What it throws ends the search, and is what `analyse` rejects with. */
    onLine?: (line: Line) => void;
}

/** The result of a search. */
export interface Analysis {
    /** The best move as UCI text; `null` if the game is over. */
    best: string | null;
    /** The expected answer. */
    ponder: string | null;
    /** The last exact lines, the best first. */
    lines: Line[];
}

/** Which program to load. */
export interface LoadOptions {
    /** The address of a file beside the programs or, in Node only, the folder of the programs; by default the folder of
     *  this package. */
    base?: string | URL;
    /** Whether to load the program with vector instructions; by default where they are supported. */
    vectors?: boolean;
}

/** How to start an engine. */
export interface StartOptions extends LoadOptions {
    /** A program from `load`, which several engines may share. */
    program?: WebAssembly.Module;
}

/** A UCI engine in a worker. */
export class Engine {
    private constructor();
    /** Starts an engine. */
    static start(options?: StartOptions): Promise<Engine>;
    /**
     * Analyses a position, after earlier calls are done. `fen` may be `"startpos"`. Rejects if the position is not
     * legal, a value is out of range, or the engine has ended; with a `TypeError`, and before the engine is told
     * anything, if a text has line breaks or control characters, a number is not a safe integer, a move is not
     * in UCI notation, `options` or `signal` is of another type, or the texts together are longer than 1 MiB.
     */
    analyse(fen: string, options?: AnalyseOptions): Promise<Analysis>;
    /** Ends the search that runs, which then gives its result. */
    stop(): void;
    /** Sets a UCI option. Rejects with what the engine remarks, and like `analyse` with a `TypeError`; with a
     *  `RangeError`, and without a change, if a number is out of the range of the option. */
    setOption(name: string, value?: string | number | boolean): Promise<void>;
    /** Forgets what was found so far. */
    newGame(): Promise<void>;
    /** Sends UCI commands, one a line. Every line is executed, so never send text from other people. Do not call it
     *  while `analyse` is in progress. */
    send(commands: string): void;
    /** Calls `listener` with every line of output, and with `null` at the end. Returns a function that ends the calls.
     *  Throws a `TypeError` if `listener` is no function. */
    listen(listener: (line: string | null) => void): () => void;
    /** Resolves when all commands so far are executed. */
    idle(): Promise<void>;
    /** Whether the engine has ended. */
    readonly ended: boolean;
    /** Whether the engine has refused a command so far, or has failed itself. */
    readonly failed: boolean;
    /** Ends the engine and its worker. */
    quit(): void;
}

/** Loads and compiles the program. */
export function load(options?: LoadOptions): Promise<WebAssembly.Module>;
/** Starts an engine. */
export function start(options?: StartOptions): Promise<Engine>;
/** Reads a line of analysis; `null` for other lines. */
export function parse(line: string): Line | null;
