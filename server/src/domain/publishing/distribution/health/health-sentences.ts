import { createSpeaker } from '../../../../lib/sentences.ts';

/** What is wrong with a show, by key: the rule, and a word more if a rule has several. */
export const healthSentences = {
  'feed_is_public.draft': 'The show is a draft, so its feed cannot be read yet.',
  'feed_is_public.suspended': 'The show is suspended, so its audio cannot be played.',
  'feed_is_public.overage': 'The show is suspended, so its audio cannot be played.',
  'feed_is_current.paused': 'The show is paused: its feed has nothing new.',
  'feed_is_current.moved': 'The show has moved: apps read the other feed.',
  has_an_episode: 'The feed has no episode. Directories refuse an empty feed.',
  artwork: 'The show has no artwork.',
  artwork_square: 'The artwork is not square ({width} × {height} pixels).',
  'artwork_size.small': 'The artwork is too small ({width} × {height} pixels).',
  'artwork_size.large': 'The artwork is too large ({width} × {height} pixels).',
  artwork_bytes:
    'The artwork has {size} kB. Apple recommends at most {limit} kB, because apps load it whole.',
  title: 'The title has {length} characters; the standard allows {limit}.',
  description: 'The show has no description of its own.',
  description_length:
    'The description has more than {limit} bytes: the feed has only its beginning.',
  category: 'The show has no category.',
  language: 'There is no language {language}.',
  author: 'The show names no author.',
  owner_email:
    'The feed has no email address. Spotify and others send a code there to prove ownership.',
  not_hidden: 'The feed asks Apple Podcasts not to list the show.',
  copyright: 'The copyright should not contain the sign © or the word "copyright".',
  https: 'Feed and audio are served without HTTPS.',
} as const;

export const sayHealth = createSpeaker(healthSentences);
