/**
 * A number such as 204.5. The Podcasting 2.0 namespace allows these for episodes; here they can only
 * be displayed.
 */
export function isFractionalNumber(text: string | undefined): boolean {
  return /^\d{1,9}\.\d{1,4}$/.test(text ?? '') && Number(text) % 1 !== 0;
}
