import { createSpeaker } from '../../lib/sentences.ts';

/** Why the domain refuses what people type or choose, by key. */
export const refusals = {
  // Any field.
  required: 'This is required.',
  one_of: 'This must be one of {values}.',
  at_least: 'This must be {limit} or more.',
  at_most: 'This must be {limit} or less.',
  max_length: 'This must have at most {limit} characters.',
  length: 'This must have {min} to {max} characters.',
  whole_number: 'This must be a whole number from {min} to {max}.',
  no_nul: 'This must not contain a NUL character.',
  not_email: 'This is not an email address.',
  http_address: 'This must be an http or https address.',
  http_address_length: 'This must be an http or https address of at most {max} characters.',
  safe_address: 'This must be an http or https address without a secret in it.',
  slug_form:
    'A slug has 1 to 100 of a-z and 0-9 in groups joined by "-"; it is no UUID and not "latest".',

  // Accounts, sessions and keys.
  password_length: 'A password must have {min} to {max} characters.',
  name_length: 'A name must have 1 to {max} visible characters on one line.',
  name_web_address: 'A name must not contain a web address.',
  address_taken: 'A user with the email address {email} already exists.',
  wrong_credentials: 'The email address or the password is wrong.',
  password_missing: 'Enter your current password.',
  wrong_password: 'This is not your current password.',
  accept_terms: 'Accept the terms to create an account.',
  terms_changed: 'The terms have changed. Please read the current version.',
  link_expired: 'This link has been used or has expired.',
  attempts: 'Too many attempts. Try again in {minutes} minutes.',
  attempts_minute: 'Too many attempts. Try again in a minute.',
  owns_show: 'You own "{title}": hand it over to somebody, or delete it.',
  key_ended: 'This key has ended. Make a new one.',
  rolled_already: 'The secret of this key was replaced meanwhile.',
  made_already: 'This key was made already.',
  key_scopes: 'A key holds one or more of {scopes}.',
  key_podcasts: 'A key reads "all" podcasts, or 1 to {max} named by their ids.',

  // Shows and their teams.
  slug_taken: 'The slug {slug} is taken. Choose another one.',
  slugs_used_up:
    'At most {max} slugs are kept for a show or an episode, and this has had as many. Choose one of them.',
  wrong_slug: 'Type {slug} to delete this podcast.',
  color: 'A color must be written as #rrggbb.',
  language_tag: 'A language is written as in BCP 47, such as en or de-AT.',
  time_zone: 'A time zone has its IANA name, such as Europe/Berlin.',
  medium: 'A medium is a word such as podcast or music.',
  category_list: 'Give at most {max} categories, each with names of 1 to 100 characters.',
  funding_list: 'Give at most {max} web addresses, each with a text of at most 128 characters.',
  new_feed_needed: 'A podcast that has moved needs the address of its new feed.',
  own_feed: 'This is the feed of the podcast itself: it would lead to itself.',
  feed_leads_back:
    'This is the feed of a show that has moved to this podcast: they would lead to each other.',
  not_moved: 'This podcast has not moved.',
  directory_page: 'This must be the address of a page at {hosts}, with https.',
  member_already: 'Whoever has this address is a member already.',
  team_full: 'A podcast has at most {max} members and invitations.',
  owner_cannot_leave: 'The owner cannot leave: hand the podcast over first.',
  owner_stays: 'The owner stays, until the podcast is handed over.',
  role_beyond_yours:
    'You can only give roles that include no more than yours; admins are the owner’s.',
  member_beyond_yours:
    'You can only change members whose roles include no more than yours; admins are the owner’s.',
  own_address: 'This is your own address: the podcast is yours already.',
  role_name_length: 'The name of a role has 1 to {max} characters, on one line and visible.',
  role_name_web_address: 'The name of a role holds no web address.',
  person_linked_elsewhere:
    'Somebody else of the team has this name. Link the member to a person of the show first.',
  person_deleted: 'One of these people was deleted.',
  no_such_person: 'The podcast has no such person, or no more.',
  person_name: 'A name has 1 to {max} characters.',
  person_role:
    'This is not a role of the Podcasting 2.0 taxonomy, such as host, guest or producer.',
  bio_length: 'A bio has at most {max} characters.',
  no_member: 'This is no member of the podcast.',

  // Episodes.
  episode_slug_taken: 'The podcast has an episode {slug} already. Choose another slug.',
  schedule_time_needed: 'A scheduled episode needs the time at which it comes out.',
  is_archived: 'This episode is archived. Return it to draft first.',
  is_published: 'This episode is published. Return it to draft first.',
  without_audio:
    'This episode has no audio. Without it, the episode is public on its page and in the API, but not in the feed.',
  date_in_future: 'This is in the future: schedule the episode.',
  notes_length: 'Show notes have at most {max} characters.',
  chapter_count: 'There are at most {max} chapters.',
  chapter_start: 'This must be a time within the longest recording.',
  chapter_end: 'A chapter ends after its start.',
  chapter_empty: 'A chapter has a title, a picture or a link.',
  segment_empty: 'A segment has words.',
  not_aligned: 'The recordings could not be aligned, so nothing can move with the audio.',

  // Files and sites.
  file_empty: 'The file is empty.',
  file_too_large: 'This file is larger than {size}.',
  file_used: 'This file was used before.',
  file_damaged: 'The file was damaged on its way. Send it again.',
  upload_share:
    'Your unfinished uploads may have {files} files and {size} together. Finish or cancel one first.',
  storage_full:
    'Your plan {plan} includes {included} of storage, and {used} are in use, so this does not fit. Delete files, or ask for a larger plan.',
  texts_full:
    'Your plan {plan} includes {included} of texts and transcripts, and {used} are in use, so this does not fit. Delete transcripts or episodes, or ask for a larger plan.',
  running_imports: 'You have {count} running imports. Wait for one to finish, or cancel one.',
  site_limit: 'A user has at most {max} connected sites: disconnect one first.',
  site_not_connected: 'This site is not connected any more.',
  choose_a_show: 'Choose at least one show.',

  // Files of other platforms.
  platform_file:
    'This is not a CSV export of {platform}. Expected in the first row: one of {names}, and one of {figures}. Found: {found}.',
  other_platform_file:
    'This is not a CSV export of {platform}. It looks like one of {other}. Found: {found}.',
  csv_unreadable:
    'The file is not a table that can be read ({code}). The reader stopped at line {line}.',
  csv_encoding: 'The file is neither UTF-8 nor UTF-16. Save it as UTF-8 and try again.',
  csv_empty_rows: 'The file has more than {max} empty rows. Delete them and try again.',
  csv_no_rows: 'The file has a header and no rows.',
  csv_slow: 'The file took too long to arrive.',
  platform_rows: 'The file has more than {max} rows.',
  platform_shows: 'The file has more than {max} shows.',
  platform_episodes: 'The file has more than {max} episodes.',
  platform_figure: 'Line {line}, column "{column}": "{found}" is not a figure.',
  platform_followers_change:
    'Line {line}, column "{column}": "{found}" is a change, not a number of followers.',
  platform_date: 'Line {line}, column "{column}": "{found}" is not a date.',
  platform_future_date: 'Line {line}, column "{column}": "{found}" is in the future.',
  platform_mixed_lines:
    'Line {line} has figures without an episode, and other lines have episodes. Add its title or delete the line, and try again.',
  platform_sums: 'The figures of the file are too large to be added up.',
  platform_several_shows:
    'The file has several shows, none or more than one of them named "{title}". Found: {names}.',
  platform_other_show: 'The file is of the show "{name}", not of "{title}".',
} as const;

export const sayRefusal = createSpeaker(refusals);
