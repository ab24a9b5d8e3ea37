import type { ImageRef } from '../catalogue/index.ts';

type Picture = Pick<ImageRef, 'id' | 'contentType'>;

/** Somebody on the show's roster. The photo is null while the show is hidden: nobody could load it. */
export interface RosterMember {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly linkUrl: string | null;
  readonly bio: string | null;
  readonly photo: Picture | null;
}

/** A credit as the feed publishes it; bio and photo are null before the episode is public. */
export interface CreditedPerson extends RosterMember {
  /** Of the credit; of the person where the roster stands in for an episode that names nobody. */
  readonly id: string;
}

/** Where a page of people ends, in their order. */
export interface PeoplePosition {
  readonly position: number;
  readonly id: string;
}
