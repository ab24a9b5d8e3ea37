import Type from 'typebox';
import { EmailChoices, Me } from './account.ts';
import { closed, moment, named, nullable, password } from './fields.ts';
import { ListedImport } from './imports.ts';
import { Key } from './keys.ts';
import { MyPodcast } from './podcasts.ts';
import { Session } from './sessions.ts';
import { Site } from './sites.ts';

/** The account as a whole: its plan, everything known of its user, and its end. */

const limit = nullable(Type.Integer({ description: 'Null: none.' }));

/** The plan's downloads of this month are used from 80 % on. */
export const Overage = Type.Object({
  kind: Type.String({ description: 'downloads_near or downloads_exceeded.' }),
  downloads: Type.Integer(),
  monthly_downloads: Type.Integer(),
  is_suspended: Type.Boolean({ description: 'Shows of the account are suspended for it now.' }),
  suspends_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When that begins; null: not this month. If the limit is near: the earliest.',
    }),
  ),
  renews_on: Type.String({ description: 'YYYY-MM-DD, UTC: the count starts again.' }),
});

export const AccountOverview = named('AccountOverview', {
  plan: Type.Object({
    id: Type.String(),
    name: Type.String(),
    state: Type.String({ description: 'active or lapsed.' }),
    api: Type.Boolean(),
    requests_per_minute: limit,
    analytics_history_days: limit,
    advanced_analytics: Type.Boolean(),
    engagement_imports: Type.Boolean(),
    monthly_downloads: limit,
  }),
  /** The usage of all shows that the user owns. */
  usage: Type.Object({
    month: Type.String({ description: 'The first day of the month, UTC: YYYY-MM-DD.' }),
    downloads: Type.Integer({ description: 'Downloads in the month.' }),
    shows: Type.Integer(),
    episodes: Type.Integer(),
  }),
  storage: Type.Object({
    used_bytes: Type.Integer({
      description: 'Audio and images of all shows that the user owns.',
    }),
    audio_bytes: Type.Integer(),
    image_bytes: Type.Integer(),
    upload_bytes: Type.Integer({
      description:
        'Unfinished and unused uploads, until they are used or expire: the whole files of the owner, and what has arrived of others.',
    }),
    included_bytes: nullable(
      Type.Integer({
        description: 'Set by the plan; null: no limit. A GB has 1,000,000,000 bytes.',
      }),
    ),
    is_near: Type.Boolean({ description: 'Whether 90 % of it is used.' }),
  }),
  /** Null below 80 % of the downloads of the plan. */
  overage: nullable(Overage),
});

export const AccountExport = named('AccountExport', {
  exported_at: moment,
  user: Me.properties.user,
  account: Me.properties.account,
  podcasts: Type.Array(MyPodcast),
  sessions: Type.Array(Session),
  keys: Type.Array(Key),
  sites: Type.Array(Site),
  imports: Type.Array(ListedImport),
  emails: EmailChoices,
});

export const DeleteAccount = closed({
  current_password: password,
  /** Deletes the user's own shows, too; without it, an account that owns any is refused. */
  with_shows: Type.Optional(Type.Boolean()),
});
