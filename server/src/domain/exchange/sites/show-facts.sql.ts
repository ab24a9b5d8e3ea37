import { sql } from 'kysely';
import { allowsKeys, planIncludesApi } from '../../foundation/permissions/index.ts';

/** ShowFacts.isReadable. From `podcasts p`, `accounts owning` and `podcast_members m`. */
export const isReadable = sql<boolean>`coalesce(${planIncludesApi} and ${allowsKeys}, false)`;
