/** Somebody who is credited; without an id, a person whom the show does not know yet. */
export type Credit = {
  readonly person_id?: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
};
