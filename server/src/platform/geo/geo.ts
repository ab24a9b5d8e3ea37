/** Where an address is, as far as registries tell; what they do not tell is null. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Who announces it to the Internet: the number of their system, then their name. */
  readonly network: string | null;
}

export interface Geo {
  /** Never rejects. The first call reads the data, which takes a second. */
  locate(ip: string): Promise<Place>;
}
