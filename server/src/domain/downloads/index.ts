// Owns counting: requests for audio as evidence, what makes a download, and the sums.
export {
  type AudioRequest,
  type DownloadSource,
  downloadSources,
  type RejectionReason,
} from './audio-request.ts';
export {
  type Client,
  type Clients,
  createShippedClients,
  rememberClients,
} from './clients/index.ts';
export type { ObservedRequest } from './observed-request.ts';
export { type ClientPlace, toAudioRequest } from './to-audio-request.ts';
