import { createSpeaker } from '../../../../lib/sentences.ts';

/** What is wrong with a show, by key: the rule, and a word more if a rule has several. */
export const healthSentences = {
  'feed_is_public.draft': 'The show is a draft, so its feed is not public yet.',
  'feed_is_public.suspended': 'The show is suspended, so its audio cannot be played.',
  'feed_is_public.overage': 'The show is suspended, so its audio cannot be played.',
  'feed_is_current.paused': 'The show is paused, so new episodes don’t appear in its feed.',
  'feed_is_current.moved': 'The show has moved, so apps use the other feed.',
  has_an_episode: 'The feed has no episodes. Directories reject an empty feed.',
  artwork: 'The show has no artwork.',
  artwork_square: 'The artwork is not square ({width} × {height} pixels).',
  'artwork_size.small': 'The artwork is too small ({width} × {height} pixels).',
  'artwork_size.large': 'The artwork is too large ({width} × {height} pixels).',
  artwork_bytes:
    'The artwork is {size} kB. Apple recommends at most {limit} kB because apps load the whole file.',
  title: 'The title has {length} characters; the standard allows {limit}.',
  description: 'The show has no description of its own.',
  description_length:
    'The description has more than {limit} bytes, so the feed contains only its beginning.',
  category: 'The show has no category.',
  language: '{language} is not a known language.',
  author: 'The show has no author.',
  owner_email:
    'The feed has no email address. Spotify and others send a code to it to verify ownership.',
  not_hidden: 'The feed asks Apple Podcasts not to list the show.',
  ai_content: 'The show does not state whether a substantial part of it is made by AI.',
  copyright: 'The copyright should not contain the sign © or the word "copyright".',
  'prefixes_work.unreachable':
    'The measurement service at {host} can’t be reached, so apps can’t play the audio.',
  'prefixes_work.elsewhere':
    'The measurement service at {host} doesn’t redirect to the audio, so apps can’t play it.',
  'prefixes_work.insecure':
    'The measurement service at {host} is reached without HTTPS, which some apps refuse.',
  prefixes_known:
    'Other services can’t recognize the audio behind {prefix}, which is not a prefix that they know.',
  https: 'The feed and audio are served without HTTPS.',
} as const;

export const sayHealth = createSpeaker(healthSentences);
