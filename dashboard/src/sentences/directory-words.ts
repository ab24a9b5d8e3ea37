import { msg } from '@lingui/core/macro';
import type { Words } from './say-message.ts';

/** How a show gets into a directory, by the directory's id. */
export const directorySteps: Readonly<Record<string, readonly Words[string][]>> = {
  apple_podcasts: [
    msg`Sign in to Apple Podcasts Connect with an Apple Account.`,
    msg`Add a new show, and choose to add it with an RSS feed.`,
    msg`Paste the address of the feed, check what Apple has read, and submit the show.`,
    msg`Apple reviews it. When it is available, copy the link to its page here.`,
  ],
  spotify: [
    msg`Sign in to Spotify for Creators, and choose that the show is hosted elsewhere.`,
    msg`Paste the address of the feed.`,
    msg`Spotify sends a code to the email address in the feed. Enter it.`,
    msg`Check the details and submit the show. Then copy the link to its page here.`,
  ],
  youtube_music: [
    msg`Open YouTube Studio with the channel that should have the show.`,
    msg`Create a new podcast, and choose to submit an RSS feed.`,
    msg`Paste the address of the feed. YouTube sends a code to the email address in it.`,
    msg`When the episodes have been uploaded, publish them, and copy the link to the show here.`,
  ],
  amazon_music: [
    msg`Sign in to Amazon Music for Podcasters, and add a podcast.`,
    msg`Paste the address of the feed.`,
    msg`Open the link in the email that Amazon sends to the address in the feed.`,
    msg`When the show is available, copy the link to its page here.`,
  ],
  pocket_casts: [
    msg`Paste the address of the feed into the form, and choose that it is public.`,
    msg`Copy the link that Pocket Casts gives you here.`,
  ],
  overcast: [
    msg`There is nothing to submit: Overcast takes its shows from Apple Podcasts.`,
    msg`When the show is on Apple Podcasts, find it in Overcast, and copy the link to its page here.`,
  ],
  podcast_index: [
    msg`Search for the show first: Podcast Index finds most feeds by itself.`,
    msg`If it is not there, paste the address of the feed into the form.`,
    msg`Copy the link to its page here. Many apps take their shows from Podcast Index.`,
  ],
  iheart: [
    msg`Sign in to iHeart's site for podcasters, and submit a podcast with the address of the feed.`,
    msg`iHeart reviews it. When it is available, copy the link to its page here.`,
  ],
  deezer: [
    msg`Sign in to Deezer for Podcasters, and add the show with the address of the feed.`,
    msg`When the show is available, copy the link to its page here.`,
  ],
  castbox: [
    msg`Search for the show first: Castbox has many shows without a submission.`,
    msg`Otherwise sign in to its Creator Studio, and paste the address of the feed.`,
    msg`Castbox sends an email to the address in the feed. Open its link.`,
    msg`Copy the link to the show's page here.`,
  ],
  podcast_addict: [
    msg`Search for the show first. If it is not there, paste the address of the feed into the form.`,
    msg`Copy the link to its page here.`,
  ],
};
