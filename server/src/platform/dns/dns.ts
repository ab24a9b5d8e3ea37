/** What a name server says. `failed`: none did, or what they said is of no use; ask again later. */
export type Lookup =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed' };

/** Asks name servers. Never rejects, and takes at most some seconds. */
export interface Dns {
  /** All IPv4 and IPv6 addresses of a host, each in its one spelling. */
  addresses(host: string): Promise<Lookup>;
  /** The TXT records of a name. */
  texts(name: string): Promise<Lookup>;
}
