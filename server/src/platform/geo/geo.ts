/** The location of an address according to registries; unknown parts are null. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** The network operator: the number of the autonomous system and its name. */
  readonly network: string | null;
}

export interface Geo {
  /** Never rejects. The first call loads the data, which takes a second. */
  locate(ip: string): Promise<Place>;
}
