import { msg } from '@lingui/core/macro';
import type { Words } from './say-message.ts';

/** How a show gets into a directory, by the directory's id. */
export const directorySteps: Readonly<Record<string, readonly Words[string][]>> = {
  apple_podcasts: [
    msg`Sign in to Apple Podcasts Connect with an Apple Account.`,
    msg`Add a new show, and choose to add it with an RSS feed.`,
    msg`Paste the feed URL, check the details Apple found, and submit the show.`,
    msg`Apple reviews it. When it is available, copy the link to its page here.`,
  ],
  spotify: [
    msg`Sign in to Spotify for Creators, and say that the show is hosted elsewhere.`,
    msg`Paste the feed URL.`,
    msg`Spotify sends a code to the email address in the feed. Enter it.`,
    msg`Check the details and submit the show. Then copy the link to its page here.`,
  ],
  youtube_music: [
    msg`Open YouTube Studio for the channel where you want the show.`,
    msg`Create a new podcast, and choose to submit an RSS feed.`,
    msg`Paste the feed URL. YouTube sends a code to the email address in the feed.`,
    msg`When the episodes have been uploaded, publish them, and copy the link to the show here.`,
  ],
  amazon_music: [
    msg`Sign in to Amazon Music for Podcasters, and add a podcast.`,
    msg`Paste the feed URL.`,
    msg`Open the link in the email that Amazon sends to the email address in the feed.`,
    msg`When the show is available, copy the link to its page here.`,
  ],
  pocket_casts: [
    msg`Paste the feed URL into the form, and say that the show is public.`,
    msg`Copy the link that Pocket Casts gives you here.`,
  ],
  overcast: [
    msg`There is nothing to submit: Overcast gets its shows from Apple Podcasts.`,
    msg`When the show is on Apple Podcasts, find it in Overcast, and copy the link to its page here.`,
  ],
  podcast_index: [
    msg`Search for the show first: Podcast Index finds most feeds automatically.`,
    msg`If it isn’t there, paste the feed URL into the form.`,
    msg`Copy the link to its page here. Many apps get their shows from Podcast Index.`,
  ],
  iheart: [
    msg`Sign in to iHeart's site for podcasters, and submit a podcast with the feed URL.`,
    msg`iHeart reviews it. When it is available, copy the link to its page here.`,
  ],
  deezer: [
    msg`Sign in to Deezer for Podcasters, and add the show with the feed URL.`,
    msg`When the show is available, copy the link to its page here.`,
  ],
  castbox: [
    msg`Search for the show first: Castbox lists many shows that were never submitted.`,
    msg`Otherwise, sign in to its Creator Studio, and paste the feed URL.`,
    msg`Castbox sends an email to the email address in the feed. Open the link in it.`,
    msg`Copy the link to the show's page here.`,
  ],
  podcast_addict: [
    msg`Search for the show first. If it isn’t there, paste the feed URL into the form.`,
    msg`Copy the link to its page here.`,
  ],
};
