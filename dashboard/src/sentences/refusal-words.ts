import { msg } from '@lingui/core/macro';
import type { Words } from './say-message.ts';

/** Why the server refuses, by the keys of messages. */
export const refusalWords: Words = {
  required: msg`This is required.`,
  one_of: msg({ message: 'This must be one of {values}.' }),
  at_least: msg({ message: 'This must be {limit, number} or more.' }),
  at_most: msg({ message: 'This must be {limit, number} or less.' }),
  max_length: msg({ message: 'This must have at most {limit, number} characters.' }),
  length: msg({ message: 'This must have {min, number} to {max, number} characters.' }),
  whole_number: msg({
    message: 'This must be a whole number from {min, number} to {max, number}.',
  }),
  no_nul: msg`This must not contain a NUL character.`,
  not_email: msg`This is not an email address.`,
  http_address: msg`This must be an http or https address.`,
  http_address_length: msg({
    message: 'This must be an http or https address of at most {max, number} characters.',
  }),
  safe_address: msg`This must be an http or https address without a secret in it.`,
  slug_form: msg`A slug has 1 to 100 of a-z and 0-9 in groups joined by "-"; it is no UUID and not "latest".`,
  password_length: msg({
    message: 'A password must have {min, number} to {max, number} characters.',
  }),
  name_length: msg({
    message: 'A name must have 1 to {max, number} visible characters on one line.',
  }),
  name_web_address: msg`A name must not contain a web address.`,
  address_taken: msg({ message: 'A user with the email address {email} already exists.' }),
  wrong_credentials: msg`The email address or the password is wrong.`,
  password_missing: msg`Enter your current password.`,
  wrong_password: msg`This is not your current password.`,
  accept_terms: msg`Accept the terms to create an account.`,
  terms_changed: msg`The terms have changed. Please read the current version.`,
  link_expired: msg`This link has been used or has expired.`,
  attempts: msg({ message: 'Too many attempts. Try again in {minutes} minutes.' }),
  attempts_minute: msg`Too many attempts. Try again in a minute.`,
  owns_show: msg({ message: 'You own "{title}": hand it over to somebody, or delete it.' }),
  key_ended: msg`This key has ended. Make a new one.`,
  rolled_already: msg`The secret of this key was replaced meanwhile.`,
  made_already: msg`This key was made already.`,
  key_scopes: msg({ message: 'A key holds one or more of {scopes}.' }),
  key_podcasts: msg({
    message: 'A key reads "all" podcasts, or 1 to {max, number} named by their ids.',
  }),
  slug_taken: msg({ message: 'The slug {slug} is taken. Choose another one.' }),
  slugs_used_up: msg({
    message:
      'At most {max, number} slugs are kept for a show or an episode, and this has had as many. Choose one of them.',
  }),
  wrong_slug: msg({ message: 'Type {slug} to delete this podcast.' }),
  color: msg`A color must be written as #rrggbb.`,
  language_tag: msg`A language is written as in BCP 47, such as en or de-AT.`,
  time_zone: msg`A time zone has its IANA name, such as Europe/Berlin.`,
  medium: msg`A medium is a word such as podcast or music.`,
  category_list: msg({
    message: 'Give at most {max, number} categories, each with names of 1 to 100 characters.',
  }),
  funding_list: msg({
    message:
      'Give at most {max, number} web addresses, each with a text of at most 128 characters.',
  }),
  new_feed_needed: msg`A podcast that has moved needs the address of its new feed.`,
  own_feed: msg`This is the feed of the podcast itself: it would lead to itself.`,
  feed_leads_back: msg`This is the feed of a show that has moved to this podcast: they would lead to each other.`,
  not_moved: msg`This podcast has not moved.`,
  directory_page: msg({ message: 'This must be the address of a page at {hosts}, with https.' }),
  member_already: msg`Whoever has this address is a member already.`,
  team_full: msg({ message: 'A podcast has at most {max, number} members and invitations.' }),
  owner_cannot_leave: msg`The owner cannot leave: hand the podcast over first.`,
  owner_stays: msg`The owner stays, until the podcast is handed over.`,
  role_beyond_yours: msg`You can only give roles that include no more than yours; admins are the owner’s.`,
  member_beyond_yours: msg`You can only change members whose roles include no more than yours; admins are the owner’s.`,
  own_address: msg`This is your own address: the podcast is yours already.`,
  role_name_length: msg({
    message: 'The name of a role has 1 to {max, number} characters, on one line and visible.',
  }),
  role_name_web_address: msg`The name of a role holds no web address.`,
  person_linked_elsewhere: msg`Somebody else of the team has this name. Link the member to a person of the show first.`,
  person_deleted: msg`One of these people was deleted.`,
  no_such_person: msg`The podcast has no such person, or no more.`,
  person_name: msg({ message: 'A name has 1 to {max, number} characters.' }),
  person_role: msg`This is not a role of the Podcasting 2.0 taxonomy, such as host, guest or producer.`,
  bio_length: msg({ message: 'A bio has at most {max, number} characters.' }),
  no_member: msg`This is no member of the podcast.`,
  episode_slug_taken: msg({
    message: 'The podcast has an episode {slug} already. Choose another slug.',
  }),
  schedule_time_needed: msg`A scheduled episode needs the time at which it comes out.`,
  is_archived: msg`This episode is archived. Return it to draft first.`,
  is_published: msg`This episode is published. Return it to draft first.`,
  without_audio: msg`This episode has no audio. Without it, the episode is public on its page and in the API, but not in the feed.`,
  date_in_future: msg`This is in the future: schedule the episode.`,
  notes_length: msg({ message: 'Show notes have at most {max, number} characters.' }),
  chapter_count: msg({ message: 'There are at most {max, number} chapters.' }),
  chapter_start: msg`This must be a time within the longest recording.`,
  chapter_end: msg`A chapter ends after its start.`,
  chapter_empty: msg`A chapter has a title, a picture or a link.`,
  segment_empty: msg`A segment has words.`,
  not_aligned: msg`The recordings could not be aligned, so nothing can move with the audio.`,
  file_empty: msg`The file is empty.`,
  file_too_large: msg({ message: 'This file is larger than {size}.' }),
  file_used: msg`This file was used before.`,
  file_damaged: msg`The file was damaged on its way. Send it again.`,
  upload_share: msg({
    message:
      'Your unfinished uploads may have {files, number} files and {size} together. Finish or cancel one first.',
  }),
  storage_full: msg({
    message:
      'Your plan {plan} includes {included} of storage, and {used} are in use, so this does not fit. Delete files, or ask for a larger plan.',
  }),
  texts_full: msg({
    message:
      'Your plan {plan} includes {included} of texts and transcripts, and {used} are in use, so this does not fit. Delete transcripts or episodes, or ask for a larger plan.',
  }),
  running_imports: msg({
    message: 'You have {count, number} running imports. Wait for one to finish, or cancel one.',
  }),
  site_limit: msg({
    message: 'A user has at most {max, number} connected sites: disconnect one first.',
  }),
  site_not_connected: msg`This site is not connected any more.`,
  choose_a_show: msg`Choose at least one show.`,
  platform_file: msg({
    message:
      'This is not a CSV export of {platform}. Expected in the first row: one of {names}, and one of {figures}. Found: {found}.',
  }),
  other_platform_file: msg({
    message:
      'This is not a CSV export of {platform}. It looks like one of {other}. Found: {found}.',
  }),
  csv_unreadable: msg({
    message:
      'The file is not a table that can be read ({code}). The reader stopped at line {line, number}.',
  }),
  csv_encoding: msg`The file is neither UTF-8 nor UTF-16. Save it as UTF-8 and try again.`,
  csv_empty_rows: msg({
    message: 'The file has more than {max, number} empty rows. Delete them and try again.',
  }),
  csv_no_rows: msg`The file has a header and no rows.`,
  csv_slow: msg`The file took too long to arrive.`,
  platform_rows: msg({ message: 'The file has more than {max, number} rows.' }),
  platform_shows: msg({ message: 'The file has more than {max, number} shows.' }),
  platform_episodes: msg({ message: 'The file has more than {max, number} episodes.' }),
  platform_figure: msg({
    message: 'Line {line, number}, column "{column}": "{found}" is not a figure.',
  }),
  platform_followers_change: msg({
    message:
      'Line {line, number}, column "{column}": "{found}" is a change, not a number of followers.',
  }),
  platform_date: msg({
    message: 'Line {line, number}, column "{column}": "{found}" is not a date.',
  }),
  platform_future_date: msg({
    message: 'Line {line, number}, column "{column}": "{found}" is in the future.',
  }),
  platform_mixed_lines: msg({
    message:
      'Line {line, number} has figures without an episode, and other lines have episodes. Add its title or delete the line, and try again.',
  }),
  platform_sums: msg`The figures of the file are too large to be added up.`,
  platform_several_shows: msg({
    message:
      'The file has several shows, none or more than one of them named "{title}". Found: {names}.',
  }),
  platform_other_show: msg({
    message: 'The file is of the show "{name}", not of "{title}".',
  }),
};
