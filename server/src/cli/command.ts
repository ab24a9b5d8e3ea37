import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { type OperandSpecs, type OptionSpecs, parseArguments, type Values } from './arguments.ts';
import type { CommandIo } from './command-io.ts';
import type { Installation } from './installation.ts';

/** A command as data: what is typed, what `--help` says of it, and what it does. */
interface CommandSpec<P extends OperandSpecs, O extends OptionSpecs> {
  /** As typed: `episode add`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly about: string;
  /** More, for its own `--help`. */
  readonly notes?: string;
  readonly operands?: P;
  readonly options?: O;
}

/** Every command, with its arguments' types left behind. */
export interface Command {
  readonly name: string;
  readonly about: string;
  readonly notes: string;
  readonly operands: OperandSpecs;
  readonly options: OptionSpecs;
  /** Reads what follows the name; throws UsageError. What it returns does the work. */
  prepare(argv: readonly string[]): Work;
}

/**
 * `app`: works on an installation, be it opened for this command or held by a running server.
 * `process`: is a process of its own (a server), or needs no installation at all.
 * Both end by returning, or by throwing what went wrong.
 */
export type Work =
  | { readonly kind: 'app'; run(app: App, io: CommandIo): Promise<void> }
  | { readonly kind: 'process'; run(io: CommandIo, open: OpenInstallation): Promise<void> };

/** For this process; whoever calls it closes it. */
export type OpenInstallation = (config: Config) => Promise<Installation>;

export function defineAppCommand<
  const P extends OperandSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  spec: CommandSpec<P, O> & {
    run(app: App, args: Values<P, O>, io: CommandIo): Promise<void>;
  },
): Command {
  return define(spec, (args) => ({ kind: 'app', run: (app, io) => spec.run(app, args, io) }));
}

export function defineProcessCommand<
  const P extends OperandSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  spec: CommandSpec<P, O> & {
    run(args: Values<P, O>, io: CommandIo, open: OpenInstallation): Promise<void>;
  },
): Command {
  return define(spec, (args) => ({
    kind: 'process',
    run: (io, open) => spec.run(args, io, open),
  }));
}

function define<const P extends OperandSpecs, const O extends OptionSpecs>(
  spec: CommandSpec<P, O>,
  work: (args: Values<P, O>) => Work,
): Command {
  const { name, about, notes = '' } = spec;
  const operands = spec.operands ?? {};
  const options = spec.options ?? {};
  return {
    name,
    about,
    notes,
    operands,
    options,
    prepare: (argv) => work(parseArguments({ operands, options }, argv) as Values<P, O>),
  };
}
