import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { type OperandSpecs, type OptionSpecs, parseArguments, type Values } from './arguments.ts';
import type { CommandIo } from './command-io.ts';
import type { Installation, InstallationOptions } from './installation.ts';

/**
 * A command's arguments and help. It is data and loads no domain code: every start reads all specs,
 * but only the called command's module.
 */
export interface CommandSpec {
  /** As typed: `episode add`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly about: string;
  /** More text for its `--help`. */
  readonly notes?: string;
  readonly operands?: OperandSpecs;
  readonly options?: OptionSpecs;
  /** Default: an installation. */
  readonly needs?: Needs;
}

/**
 * What a command must find in production. `installation`: a database with our tables; `database`: a
 * place for them, in which it may create them; `nothing`: it may create an installation, or needs none.
 * `existing`: an installation, also outside of production.
 */
export type Needs = 'existing' | 'installation' | 'database' | 'nothing';

/** The arguments of a command, as parsed. */
export type ArgsOf<S extends CommandSpec> = Values<
  S extends { readonly operands: infer P extends OperandSpecs } ? P : Record<never, never>,
  S extends { readonly options: infer O extends OptionSpecs } ? O : Record<never, never>
>;

/** Runs on an installation, which this command opened or a running server holds. */
export type RunOnApp<S extends CommandSpec> = (
  app: App,
  args: ArgsOf<S>,
  io: CommandIo,
) => Promise<void>;

/** Runs as its own process (a server), or without an installation. */
type RunAsProcess<S extends CommandSpec> = (
  args: ArgsOf<S>,
  io: CommandIo,
  open: OpenInstallation,
) => Promise<void>;

/** For this process; the caller closes it. */
export type OpenInstallation = (
  config: Config,
  options?: Pick<InstallationOptions, 'migrations'>,
) => Promise<Installation>;

/** A command, without its arguments' types. */
export interface Command {
  readonly name: string;
  readonly about: string;
  readonly notes: string;
  readonly operands: OperandSpecs;
  readonly options: OptionSpecs;
  /** Parses the arguments; throws UsageError. The result runs the command. */
  prepare(argv: readonly string[]): Work;
}

export type Work = { readonly needs: Needs } & (
  | { readonly kind: 'app'; run(app: App, io: CommandIo): Promise<void> }
  | { readonly kind: 'process'; run(io: CommandIo, open: OpenInstallation): Promise<void> }
);

type Specs = Readonly<Record<string, CommandSpec>>;

/** The functions that run these commands, by the names of their specs. */
export type AppRuns<S extends Specs> = { readonly [Name in keyof S]: RunOnApp<S[Name]> };

/** `load` imports the module of these commands when one of them is called. */
export function appCommands<const S extends Specs>(
  specs: S,
  load: () => Promise<AppRuns<S>>,
): readonly Command[] {
  return Object.entries(specs).map(([name, spec]) =>
    define(spec, (args) => ({
      kind: 'app',
      needs: spec.needs ?? 'installation',
      run: async (app, io) => (await load())[name as keyof S](app, args as never, io),
    })),
  );
}

/** The same for commands that run as their own process. */
export type ProcessRuns<S extends Specs> = { readonly [Name in keyof S]: RunAsProcess<S[Name]> };

export function processCommands<const S extends Specs>(
  specs: S,
  load: () => Promise<ProcessRuns<S>>,
): readonly Command[] {
  return Object.entries(specs).map(([name, spec]) =>
    define(spec, (args) => ({
      kind: 'process',
      needs: spec.needs ?? 'installation',
      run: async (io, open) => (await load())[name as keyof S](args as never, io, open),
    })),
  );
}

function define<S extends CommandSpec>(spec: S, work: (args: ArgsOf<S>) => Work): Command {
  const { name, about, notes = '', operands = {}, options = {} } = spec;
  return {
    name,
    about,
    notes,
    operands,
    options,
    prepare: (argv) => work(parseArguments({ operands, options }, argv) as ArgsOf<S>),
  };
}
