/** The body of a ping (the contract, "Connected sites"). */
export function presentPing({ siteId, seq }: { siteId: string; seq: number }): string {
  return JSON.stringify({ site_id: siteId, seq });
}
