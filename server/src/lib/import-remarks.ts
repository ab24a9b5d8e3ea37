/** Parts of the report of an import that are the same in the program, in JSON and in the browser. */

/** The item concerned. A GUID with a credential is not repeated. */
export interface ItemRef {
  readonly guid: string | null;
  readonly title: string | null;
}

/** About an item, or about the show if both are null. */
export interface ItemRemark extends ItemRef {
  readonly reason: string;
  readonly message: string;
}

/** About an item, or about the show if both are null. */
export interface ImportConflict extends ItemRef {
  readonly reason: 'changed_here' | 'deleted_here';
  /** The field's name in the API; null for an episode that was deleted here. */
  readonly field: string | null;
  readonly here: unknown;
  readonly source: unknown;
}

export interface FieldDifference {
  /** The field's name in the API. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlannedItem extends ItemRef {
  readonly outcome: 'created' | 'updated';
  readonly changes: readonly FieldDifference[];
}

/** Each item counts in exactly one of these. */
export interface ItemCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}
