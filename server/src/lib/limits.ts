/**
 * Bounds and periods that the domain enforces. They are here, because the dashboard also states them
 * in its forms and texts, before anything is refused. Those of the fields of shows and episodes are in
 * `fields/`.
 */

/** The most characters of texts, in UTF-16 code units, as `maxlength` of HTML counts them. */
export const maxChars = {
  userName: 200,
  keyName: 100,
  /** Of a custom role in a team. */
  roleName: 60,
  personName: 200,
  personBio: 10_000,
  slug: 100,
  chapterTitle: 1000,
  speaker: 200,
  /** Of a transcript's segment while it is edited; longer ones are split when they are stored. */
  editedSegment: 20_000,
  search: 200,
  /** As typed, with spaces. */
  feedCode: 20,
} as const;

export const passwordChars = { min: 8, max: 1024 } as const;

/** How much of a description feeds contain, in UTF-8: the limit of Apple and PSP-1. */
export const feedDescriptionBytes = 4000;

/** Apple Podcasts asks for artwork that is square and has so many pixels a side, JPEG or PNG. */
export const artworkPx = { min: 1400, max: 3000 } as const;

export const imageFileMebibytes = 25;
export const audioFileGibibytes = 2;

/** How long an invitation to a team is open. */
export const invitationDays = 14;

/** A session ends after so many days without use. */
export const sessionIdleDays = 30;

/** From the day on which a plan's downloads are used up to the suspension of the shows. */
export const overageGraceDays = 7;

/** How long ended keys stay in the list; then they are deleted. */
export const endedKeyDays = 30;
/** How long before its end the user of a key is reminded. */
export const keyReminderDays = 7;
/** How long after it is created the key of a site can be registered. */
export const siteRegistrationHours = 24;
/** The most connected sites of a user. */
export const maxSites = 50;
/** The most webhooks of a show. */
export const maxWebhooks = 10;
export const maxWebhooksPerHost = 3;
/** What webhooks tell, in the order of the form. */
export const webhookTypes = [
  ...(['episode.published', 'episode.updated', 'episode.unpublished'] as const),
  ...(['show.updated', 'import.finished'] as const),
];
/** How long a delivery is repeated, and a webhook may fail before it is switched off. */
export const webhookRetryDays = 3;
/** How long deliveries are in the list. */
export const webhookDeliveryDays = 7;
/** The most deliveries of a webhook that are in the list, beside those that wait. */
export const webhookDeliveries = 10_000;
/** If so many wait for a webhook, nothing is added. */
export const webhookWaitingDeliveries = 5_000;
/** How many of a webhook's newest responses are kept as text. */
export const webhookResponses = 100;
/** How long the old secret of a webhook signs beside the new one. */
export const webhookGraceHours = 24;
/** Of a webhook's response, in characters. */
export const webhookResponseChars = 1_000;
/** A site's waiting changes are not counted further. */
export const maxCountedChanges = 1000;

/**
 * The people whom a show knows, those of them on its roster, and the credits of an episode. Lists of
 * people are read and saved as a whole, so the bytes of all names, bios and links of a show's people
 * are limited too.
 */
export const peopleLimits = {
  known: 5_000,
  roster: 500,
  credits: 200,
  textBytes: 1_000_000,
} as const;

/** The most episodes of one request that changes or credits several. */
export const maxEpisodesAtOnce = 100;

/**
 * No range of statistics begins earlier, UTC: nobody published podcasts then, and series stay short.
 */
export const firstStatisticsDay = '1970-01-01';
