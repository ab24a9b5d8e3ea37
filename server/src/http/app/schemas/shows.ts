import Type from 'typebox';
import { podcastStatuses } from '../../../domain/foundation/enumerations.ts';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { fieldSchemas } from './field-schemas.ts';
import { closed, id, moment, named, nullable, optional, password } from './fields.ts';
import { ShowRights } from './podcasts.ts';

/** A show as its members see and edit it. The domain checks bounds and choices. */

const text = Type.String();
const optionalText = nullable(text);
const flag = Type.Boolean();
const status = Type.Enum([...podcastStatuses], { type: 'string' });

const {
  new_feed_url: newFeedUrl,
  hosting_type: hostingType,
  team_keys: teamKeys,
  ...fields
} = fieldSchemas(podcastFields);

export const EditShow = closed(optional(fields));

export const StartShow = closed({
  title: text,
  /** Default: made from the title, with a number if that is taken. */
  slug: Type.Optional(text),
  author: Type.Optional(text),
  description: Type.Optional(text),
  language: Type.Optional(text),
  timezone: Type.Optional(text),
  category: Type.Optional(optionalText),
  subcategory: Type.Optional(optionalText),
  explicit: Type.Optional(flag),
});

export const MoveShow = closed({ new_feed_url: text });

export const DeleteShow = closed({
  slug: Type.String({ description: 'The current slug, typed by the owner.' }),
  current_password: password,
});

export const ShowSettings = named('ShowSettings', {
  id,
  revision: Type.Integer(),
  guid: text,
  status,
  may_become: Type.Array(status, {
    description:
      'The statuses to which the user may set the show. A moved show may get another URL.',
  }),
  /** overage or operator; null: the show is not suspended. */
  suspended_for: nullable(text),
  ...fields,
  new_feed_url: newFeedUrl,
  hosting_type: hostingType,
  team_keys: teamKeys,
  /** The number of elements of an imported feed that are only passed on. */
  extra_element_count: Type.Integer(),
  artwork: nullable(
    Type.Object({
      id,
      /** For members. Add `?width=160`, `320` or `640` for a smaller copy. */
      url: text,
      content_type: text,
      width: Type.Integer(),
      height: Type.Integer(),
      color: nullable(
        Type.String({ description: 'Its main color, #rrggbb; null if it is in grays.' }),
      ),
    }),
  ),
  own_color: Type.String({ description: 'The color of pages and players if none is chosen.' }),
  links: Type.Object({ listen: text, feed: text, latest_player: text }),
  /** These addresses redirect to the current one. */
  previous_slugs: Type.Array(text),
  /** The plan shows "powered by", whatever the setting says. */
  always_powered_by: flag,
  role: text,
  role_name: text,
  may: ShowRights,
  created_at: moment,
});

const personFields = {
  name: text,
  /** A role of the Podcasting 2.0 taxonomy, in lower case. */
  role: text,
  group: text,
  bio: optionalText,
  link_url: optionalText,
  /** Whether the person is on the roster: credited on episodes that name nobody. */
  roster: flag,
  /** The team member who is this person. A co-host sees the episodes that credit them. */
  user_id: nullable(id),
};

export const ShowPerson = named('ShowPerson', {
  id,
  ...personFields,
  photo: nullable(Type.Object({ id, url: text })),
});

export const SetPeople = closed({
  people: Type.Array(
    closed({
      /** Missing for a new person, or for one known by name. */
      id: Type.Optional(id),
      /** The id of a new person, made by the client. */
      new_id: Type.Optional(id),
      name: text,
      role: Type.Optional(text),
      group: Type.Optional(text),
      bio: Type.Optional(optionalText),
      link_url: Type.Optional(optionalText),
      roster: Type.Optional(flag),
      user_id: Type.Optional(nullable(id)),
      /** A picture of the podcast. */
      photo_id: Type.Optional(nullable(id)),
    }),
    { maxItems: 500 },
  ),
});

export const ShowPeople = named('ShowPeople', {
  revision: Type.Integer(),
  people: Type.Array(ShowPerson),
});
