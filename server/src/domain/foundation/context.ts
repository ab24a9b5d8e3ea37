import type { CursorCodec } from '../../lib/cursor.ts';
import type { Language } from '../../lib/languages.ts';
import type { BlobStore } from '../../platform/blob-store/blob-store.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Announcements } from '../../platform/database/announcements.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Dns } from '../../platform/dns/dns.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mailer } from '../../platform/mailer/mailer.ts';
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import type { ChildProcesses } from '../../platform/processes/child-processes.ts';
import type { Turns } from '../../platform/processes/turns.ts';
import type { Db, Tables } from './database.ts';
import type { Principal } from './principal.ts';

export interface Terms {
  readonly version: string;
  /** Where users can read them; undefined: the operator publishes them elsewhere. */
  readonly url: string | undefined;
}

export type ClientKind = 'app' | 'library' | 'browser' | 'bot' | 'unknown';

/** The client of a request, by its user agent. */
export interface IdentifiedClient {
  readonly kind: ClientKind;
  /** The name of the app, library, browser or bot, as the OPAWG lists spell it. */
  readonly app: string;
  /** The name of the device, as the OPAWG lists spell it; never known of a bot. */
  readonly device: string;
}

/** Recognizes the clients of requests. */
export interface Clients {
  /** `null`, like the empty text: the request had none. */
  identify(userAgent: string | null): IdentifiedClient;
}

export interface RedirectRule {
  /** The patterns of prefixes to remove from a path; each must match at its beginning. */
  readonly prefixes: readonly RegExp[];
  /** The scheme of targets that state none; undefined: that of the wrapper. */
  readonly defaultScheme: 'http' | 'https' | undefined;
}

/** The measurement redirects to remove from the addresses of audio, by exact hostname. */
export type RedirectTable = ReadonlyMap<string, RedirectRule>;

/** The part of the configuration that the domain may know. */
export interface Installation {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly embedUrl: string;
  /** Where the own domains of shows have to lead: names of hosts, and IP addresses. */
  readonly domainTarget: readonly string[];
  readonly defaultPlan: string;
  /** Whether anybody may sign up; otherwise only the operator and invitations create accounts. */
  readonly signUp: boolean;
  /** Whether the home page lists all public shows. */
  readonly publicDirectory: boolean;
  /** Files of fonts for cards, beside those that are shipped. */
  readonly cardFonts: readonly string[];
  /** The folder to which emails are written; undefined: they are sent. */
  readonly emailsFolder: string | undefined;
  /** Whether shows are suspended some days after their account has exceeded its plan. */
  readonly overageSuspend: boolean;
  /** The terms that users must accept; undefined: none. */
  readonly terms: Terms | undefined;
  /** Whether a backup is made every day. */
  readonly backsUp: boolean;
  /** Who is told about the installation itself; undefined: nobody is. */
  readonly operatorEmail: string | undefined;
  /** Who is notified that a feed has changed. */
  readonly feedNotifications: {
    /** Our own WebSub hub; undefined: there is none. */
    readonly ownHub: { readonly url: string; readonly allowsHttp: boolean } | undefined;
    /** URLs of WebSub hubs of others. */
    readonly externalHubs: readonly string[];
    /** Without trailing slash; undefined: Podcast Index isn't told. */
    readonly podcastIndexUrl: string | undefined;
    /** Undefined: no podping is sent. */
    readonly podping: { readonly url: string; readonly token: string } | undefined;
  };
  readonly redirectTable: RedirectTable;
  /** Recognizes clients by their user agents. */
  readonly clients: Clients;
  /** Signs where pages of lists and feeds begin. */
  readonly cursors: CursorCodec;
  /** The key of HMACs that replace networks and addresses in rows. */
  readonly tagKey: Buffer;
}

/** The first argument of every verb. Inside a transaction, `db` is that transaction. */
export interface Context {
  readonly principal: Principal;
  readonly db: Db;
  readonly announcements: Announcements<Tables>;
  readonly blobs: BlobStore;
  readonly outbound: OutboundHttp;
  readonly dns: Dns;
  /** They read the files that users and other servers send. */
  readonly processes: ChildProcesses;
  /** For transactions that write megabytes: on the embedded database, nobody else can use it meanwhile. */
  readonly longWrites: Turns;
  /** The user for whom the service itself acts, such as one who has started an import. */
  readonly onBehalfOf?: string | undefined;
  /**
   * Aborts when nobody waits for the result any more. Work that waits for a process to read a file, or for its turn
   * to hash a password, is then given up; what has begun continues. Only where a caller has set it.
   */
  readonly abandoned?: AbortSignal | undefined;
  /**
   * The language of the person whose request this is: the user's, otherwise the browser's. Undefined
   * for commands, jobs and programs.
   */
  readonly language?: Language | undefined;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly log: Log;
  readonly installation: Installation;
}

/** Runs `work` in a transaction; inside another one, as part of it. */
export function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx.db, (db) => work({ ...ctx, db }));
}
