export const platformSources = ['apple', 'spotify'] as const;
export type PlatformSource = (typeof platformSources)[number];

/** What the service keeps of each platform's figures. */
export const platformMetrics = {
  apple: ['plays', 'timeListenedSeconds', 'followers', 'engagedListeners'],
  spotify: ['plays', 'streams', 'listeners', 'followers'],
} as const satisfies Record<PlatformSource, readonly string[]>;

export type PlatformMetric = (typeof platformMetrics)[PlatformSource][number];

/** Only what the file contains; whole numbers. */
export type PlatformFigures = Partial<Readonly<Record<PlatformMetric, number>>>;

/** An episode as the file names it. */
export interface PlatformEntry {
  readonly guid: string | undefined;
  /** Without control characters, at most 500 characters; never empty. */
  readonly title: string;
  /** `YYYY-MM-DD`. */
  readonly releasedOn: string | undefined;
  readonly metrics: PlatformFigures;
}

/** The figures of one show, read from one file. */
export interface PlatformShow {
  /** Undefined if the file names no show. */
  readonly name: string | undefined;
  readonly showMetrics: PlatformFigures;
  readonly entries: readonly PlatformEntry[];
}

export interface PlatformFile {
  /** Rows of data. */
  readonly rows: number;
  /** The last day of the file, `YYYY-MM-DD`; null if it does not say. */
  readonly asOf: string | null;
  readonly shows: readonly PlatformShow[];
}
