import { type ChildProcess as Program, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { smallMalloc } from '../../lib/small-malloc.ts';

/** Requests to the starter. Each process has a path of its own, where it connects to this one. */
export type StarterRequest = { readonly start: string } | { readonly kill: string };

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it has written there. */
  readonly stderr: string;
}

export type StarterEvent = { readonly path: string } & ({ readonly pid: number } | ProcessEnd);

export interface ProcessListener {
  /** It has connected: it runs. */
  onConnect(pipe: Socket): void;
  /** Undefined: the starter has ended, or could not be started, and so the process, too. */
  onEnd(end: ProcessEnd | undefined): void;
}

const script = fileURLToPath(new URL('./starter.ts', import.meta.url));
const starterOptions = ['--max-old-space-size=32', '--max-semi-space-size=1', '--no-warnings'];
/** Beyond every job's limit, for memory that is taken between two looks of the watcher. */
const mostDataKb = 3 * 1024 * 1024;
/**
 * For all processes, which inherit it. Without a dump of memory; and if the machine has no memory left, the
 * server outlives them.
 */
const shell = `ulimit -c 0; ulimit -d ${mostDataKb}; { echo 700 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"`;
/** All of the environment that they get: no setting, and so no secret. */
const passedOn = [
  ...['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'],
  ...Object.keys(smallMalloc),
];

/**
 * Starts processes of one program by a small process. `fork` copies the page tables of the process that calls it,
 * which then pays for each page that it writes first: a server of 300 MB would stop for 30 ms, and be slow for
 * longer. The small process is started on demand, ends when it is idle, and ends with this one.
 */
export class ProcessStarter implements Disposable {
  readonly #command: readonly string[];
  readonly #idleMs: number;
  #starter: Starter | undefined;
  #idle: NodeJS.Timeout | undefined;

  /**
   * `command`: of Node; the path where to connect to is appended. `idleMs`: how long the small process waits after
   * the last one has ended.
   */
  constructor(command: readonly string[], idleMs: number) {
    this.#command = command;
    this.#idleMs = idleMs;
  }

  start(listener: ProcessListener): StartedProcess {
    clearTimeout(this.#idle);
    if (this.#starter?.isRunning !== true) this.#starter = new Starter(this.#command);
    const starter = this.#starter;
    return starter.start(listener, () => {
      if (starter !== this.#starter || starter.hasProcesses) return;
      this.#idle = setTimeout(() => starter.end(), this.#idleMs).unref();
    });
  }

  /** Kills all processes. */
  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    this.#starter?.end();
  }
}

class Starter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'podstead-'));
  readonly #program: Program;
  readonly #processes = new Map<string, StartedProcess>();
  #started = 0;

  constructor(command: readonly string[]) {
    const environment = passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const argv = [process.execPath, ...starterOptions, script, this.#folder, ...command];
    this.#program = spawn('/bin/sh', ['-c', shell, ...argv], {
      // Else most processes would have more memory after a picture than a process may that is used again.
      env: { ...smallMalloc, ...Object.fromEntries(environment) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    });
    this.#program.on('message', (event: StarterEvent) => {
      const started = this.#processes.get(event.path);
      if ('pid' in event) started?.begin(event.pid);
      else started?.finish(event);
    });
    for (const event of ['error', 'exit'] as const) this.#program.on(event, () => this.#fail());
    this.#program.unref();
    this.keepAwake();
  }

  get isRunning(): boolean {
    return this.#program.connected;
  }

  get hasProcesses(): boolean {
    return this.#processes.size > 0;
  }

  start(listener: ProcessListener, onEnd: () => void): StartedProcess {
    this.#started += 1;
    const path = join(this.#folder, String(this.#started));
    const started = new StartedProcess(path, {
      send: (request) => this.#send(request),
      keepAwake: () => this.keepAwake(),
      onConnect: (pipe) => listener.onConnect(pipe),
      onEnd: (end) => {
        this.#processes.delete(path);
        this.keepAwake();
        listener.onEnd(end);
        onEnd();
      },
    });
    this.#processes.set(path, started);
    this.keepAwake();
    return started;
  }

  /** While a process is needed, so is the word of its end. */
  keepAwake(): void {
    const isNeeded = [...this.#processes.values()].some((started) => started.isNeeded);
    if (isNeeded) this.#program.channel?.ref();
    else this.#program.channel?.unref();
  }

  end(): void {
    if (this.#program.connected) this.#program.disconnect();
  }

  #send(request: StarterRequest): void {
    // If it has ended, `exit` follows.
    if (this.#program.connected) this.#program.send(request, () => undefined);
  }

  #fail(): void {
    for (const started of [...this.#processes.values()]) started.finish(undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Owner extends ProcessListener {
  send(request: StarterRequest): void;
  keepAwake(): void;
}

/** A process that has been requested. */
export class StartedProcess {
  /** Whether it keeps this process alive; a new one does. */
  isNeeded = true;
  readonly #path: string;
  readonly #owner: Owner;
  readonly #door: Server;
  #pid: number | undefined;
  #pipe: Socket | undefined;
  #hasEnded = false;

  constructor(path: string, owner: Owner) {
    this.#path = path;
    this.#owner = owner;
    this.#door = createServer((pipe) => this.#connect(pipe));
    this.#door.once('error', () => this.finish(undefined));
    this.#door.listen(path, () => owner.send({ start: path }));
  }

  /** Undefined: it doesn't run yet. */
  get pid(): number | undefined {
    return this.#pid;
  }

  ref(isNeeded: boolean): void {
    this.isNeeded = isNeeded;
    for (const handle of [this.#door, this.#pipe]) {
      if (isNeeded) handle?.ref();
      else handle?.unref();
    }
    this.#owner.keepAwake();
  }

  kill(): void {
    this.#door.close();
    this.#owner.send({ kill: this.#path });
  }

  /** For its starter. */
  begin(pid: number): void {
    this.#pid = pid;
  }

  /** For its starter. */
  finish(end: ProcessEnd | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pid = undefined;
    this.#door.close();
    this.#owner.onEnd(end);
  }

  /** Nobody else can open the folder. */
  #connect(pipe: Socket): void {
    this.#door.close();
    this.#pipe = pipe;
    // How the process ends says why.
    pipe.on('error', () => undefined);
    this.#owner.onConnect(pipe);
  }
}
