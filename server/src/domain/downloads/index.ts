// Owns counting: requests for audio as evidence, what makes a download, and the sums.
export {
  type AudioRequest,
  type DownloadSource,
  downloadSources,
  type RejectionReason,
} from './audio-request.ts';
export type { Client, Clients } from './clients/client.ts';
export { rememberClients } from './clients/remember-clients.ts';
export { createShippedClients } from './clients/shipped-clients.ts';
export type { ObservedRequest } from './observed-request.ts';
export { type ClientPlace, toAudioRequest } from './to-audio-request.ts';
