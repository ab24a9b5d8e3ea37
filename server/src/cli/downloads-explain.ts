import {
  type ExplainedListener,
  explainDownloads,
  type ListenerQuery,
} from '../domain/downloads/index.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { UsageError } from './arguments.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { DownloadsExplain } from './download-commands.ts';
import { readDay, readEpisodeId } from './option-values.ts';

export const run: RunOnApp<DownloadsExplain> = async (app, options, io) => {
  const episodeId = readEpisodeId(options.episode);
  const day = readDay('--day', options.day);
  const listener = readListener(options);
  const explained = await explainDownloads(app.ctx, { episodeId, day, listener });
  const { requests, rejected, listeners, counted } = explained;
  printJson(io, {
    ...{ episode_id: episodeId, day, requests, rejected, listeners, counted },
    ...(explained.listener && { listener: describe(explained.listener) }),
  });
};

function readListener(options: {
  readonly listener?: string | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}): ListenerQuery | undefined {
  const { listener: hash, ip: address, userAgent } = options;
  if (hash !== undefined && address !== undefined)
    throw new UsageError('Name a listener by --listener or by --ip, not by both.');
  if (userAgent !== undefined && address === undefined)
    throw new UsageError('--user-agent needs --ip.');
  if (address !== undefined && canonicalAddress(address) === undefined)
    throw new UsageError('--ip must be an IP address.');
  if (address !== undefined) return { address, userAgent: userAgent ?? '' };
  if (hash === undefined) return undefined;
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new UsageError('--listener must have 32 hex digits.');
  return { hash };
}

function describe({ hash, requests, rejected, receivedBytes, ...rest }: ExplainedListener) {
  const { neededBytes, counted } = rest;
  return {
    hash,
    requests,
    rejected,
    received_bytes: receivedBytes,
    needed_bytes: neededBytes,
    counted,
  };
}
