/** The limits and features of a plan; `undefined` means no limit. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly api: boolean;
  /** Keyed requests for this plan's podcasts; undefined: the plan has no API. */
  readonly requestsPerMinute: number | undefined;
  readonly analyticsHistoryDays: number | undefined;
  readonly advancedAnalytics: boolean;
  readonly engagementImports: boolean;
  readonly monthlyDownloads: number | undefined;
  /** Audio and pictures of all podcasts of the account. */
  readonly storageBytes: number | undefined;
  /** The "powered by" line cannot be switched off. */
  readonly alwaysPoweredBy: boolean;
}

/** Keyed requests of all keys of one user, whatever the plan. */
export const accountRequestsPerMinute = 600;

/** As the app writes sizes. */
const gb = 1_000_000_000;

const plans: readonly Plan[] = [
  {
    id: 'free',
    name: 'Free',
    api: false,
    requestsPerMinute: undefined,
    analyticsHistoryDays: 90,
    advancedAnalytics: false,
    engagementImports: false,
    monthlyDownloads: 10_000,
    storageBytes: 5 * gb,
    alwaysPoweredBy: true,
  },
  {
    id: 'creator',
    name: 'Creator',
    api: true,
    requestsPerMinute: 60,
    analyticsHistoryDays: 365,
    advancedAnalytics: false,
    engagementImports: false,
    monthlyDownloads: 50_000,
    storageBytes: 100 * gb,
    alwaysPoweredBy: false,
  },
  {
    id: 'studio',
    name: 'Studio',
    api: true,
    requestsPerMinute: 120,
    analyticsHistoryDays: 1_095,
    advancedAnalytics: true,
    engagementImports: true,
    monthlyDownloads: 500_000,
    storageBytes: 500 * gb,
    alwaysPoweredBy: false,
  },
  {
    id: 'production_house',
    name: 'Production House',
    api: true,
    requestsPerMinute: 300,
    analyticsHistoryDays: undefined,
    advancedAnalytics: true,
    engagementImports: true,
    monthlyDownloads: 5_000_000,
    storageBytes: undefined,
    alwaysPoweredBy: false,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    api: true,
    requestsPerMinute: 600,
    analyticsHistoryDays: undefined,
    advancedAnalytics: true,
    engagementImports: true,
    monthlyDownloads: undefined,
    storageBytes: undefined,
    alwaysPoweredBy: false,
  },
];

export const planIds: readonly string[] = plans.map((plan) => plan.id);

/** Plans whose podcasts keys may read. */
export const plansWithApi: readonly string[] = plans.filter(({ api }) => api).map(({ id }) => id);

/** The same, as their descriptions need them. */
export const apiPlans = plans
  .filter(({ api }) => api)
  .map(({ name, requestsPerMinute }) => ({ name, requestsPerMinute }));

/** Plans with a limit of downloads in a month. */
export const limitedPlans = plans.flatMap(({ id, monthlyDownloads }) =>
  monthlyDownloads === undefined ? [] : [{ id, monthlyDownloads }],
);

/** Plans with a limit of storage. */
export const limitedStorage = plans.flatMap(({ id, storageBytes: bytes }) =>
  bytes === undefined ? [] : [{ id, bytes }],
);

const byId = new Map(plans.map((plan) => [plan.id, plan]));

export function findPlan(id: string): Plan | undefined {
  return byId.get(id);
}

export function planNameOf(id: string): string {
  return getPlan(id).name;
}

/** Throws for an unknown plan; the database contains none. */
export function getPlan(id: string): Plan {
  const plan = findPlan(id);
  if (plan === undefined) throw new Error(`unknown plan ${id}`);
  return plan;
}
