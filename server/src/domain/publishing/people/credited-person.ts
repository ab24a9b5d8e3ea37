interface Picture {
  readonly id: string;
  readonly contentType: string;
}

/**
 * Somebody on the show's roster. The photo is null while the show is hidden: nobody could load it.
 */
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
  /** The credit's id; the person's id if the episode names nobody and shows the roster. */
  readonly id: string;
}

/** Where a page of people ends, in their order. */
export interface PeoplePosition {
  readonly position: number;
  readonly id: string;
}
