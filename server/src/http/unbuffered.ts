/**
 * A proxy should read such a response only as fast as its client does: audio, archives, events.
 * nginx would keep up to a gigabyte of each on its disk, and take audio from us that nobody listens to.
 */
export const unbuffered = { 'X-Accel-Buffering': 'no' } as const;
