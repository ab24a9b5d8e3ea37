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
  http_address_length: msg({
    message: 'This must be an http or https URL with at most {max, number} characters.',
  }),
  safe_address: msg`This must be an http or https URL without a secret in it.`,
  slug_form: msg`Use 1 to 100 lowercase letters (a-z), digits and single hyphens between them. UUIDs and "latest" are reserved.`,
  password_length: msg({
    message: 'A password must have {min, number} to {max, number} characters.',
  }),
  name_length: msg({
    message: 'A name must have 1 to {max, number} visible characters on one line.',
  }),
  name_web_address: msg`A name must not contain a web address.`,
  address_taken: msg({ message: 'A user with the email address {email} already exists.' }),
  wrong_credentials: msg`The email address or password is wrong.`,
  password_missing: msg`Enter your current password.`,
  wrong_password: msg`This is not your current password.`,
  accept_terms: msg`Accept the terms to create an account.`,
  terms_changed: msg`The terms have changed. Please read the current version.`,
  link_expired: msg`This link has been used or has expired.`,
  attempts: msg({ message: 'Too many attempts. Try again in {minutes} minutes.' }),
  attempts_minute: msg`Too many attempts. Try again in a minute.`,
  owns_show: msg({ message: 'You own "{title}". Transfer or delete it first.' }),
  key_ended: msg`This key has expired or been revoked. Create a new one.`,
  rolled_already: msg`This key’s secret has already been replaced.`,
  made_already: msg`This key has already been created.`,
  key_scopes: msg({ message: 'Choose at least one permission: {scopes}.' }),
  key_podcasts: msg({
    message: 'Choose "all" shows, or 1 to {max, number} by their IDs.',
  }),
  slug_taken: msg({ message: 'The slug {slug} is taken. Choose another one.' }),
  slugs_used_up: msg({
    message:
      'A show or episode can have at most {max, number} slugs over time, and this one has used them all. Choose one of its earlier slugs.',
  }),
  slugs_of_owner: msg({
    message:
      'Only the owner can use the last {max, number} slugs of a show or episode. Choose one of its earlier slugs.',
  }),
  wrong_slug: msg({ message: 'Type {slug} to delete this show.' }),
  color: msg`Enter a color as #rrggbb.`,
  language_tag: msg`Enter a BCP 47 language tag, such as en or de-AT.`,
  time_zone: msg`Enter an IANA time zone name, such as Europe/Berlin.`,
  medium: msg`Enter a medium, such as podcast or music.`,
  category_list: msg({
    message: 'Enter at most {max, number} categories, each with names of 1 to 100 characters.',
  }),
  element_count: msg({ message: 'Enter at most {max, number} of these.' }),
  field_of_its_own: msg({ message: 'This purpose has a field of its own: {field}.' }),
  seconds: msg({
    message:
      'This must be a number of seconds from {min, number} to {max, number}, with up to three decimals.',
  }),
  uri: msg({ message: 'This must be a URL with at most {max, number} characters.' }),
  moment: msg`Enter a time in ISO 8601 with a time zone, such as 2027-01-31T12:00:00Z.`,
  day_or_time: msg`Enter a day such as 2027-01-31, or a time in ISO 8601 with a time zone.`,
  podcast_guid: msg`Enter a podcast GUID, which is a UUID.`,
  amount: msg`Enter an amount such as 0.00000005.`,
  tokens: msg`Enter one or more words, such as social or banner, separated by spaces.`,
  ratio: msg`Enter a ratio such as 16/9.`,
  country: msg`Enter a country code of two letters, such as NO.`,
  geo: msg`Enter coordinates as geo:latitude,longitude, such as geo:59.91,10.75.`,
  osm: msg`Enter N, W or R and the number of the OpenStreetMap object, such as R406091.`,
  rrule: msg`Enter a recurrence rule as in RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.`,
  rrule_start: msg`A rule with COUNT needs a first day.`,
  media_type: msg`Enter a media type, such as image/jpeg.`,
  license_url: msg`Your own license needs the URL of its text.`,
  comments_off: msg`If comments are disabled, leave the other fields empty.`,
  payment_shares: msg`At least one recipient needs a share that is not a fee.`,
  artwork_picture: msg`The feed already contains the artwork. Enter another purpose.`,
  soundbite_end: msg({
    message: 'This soundbite ends after the audio, which has {seconds, number} seconds.',
  }),
  arrangement: msg({
    message: 'List some of these words, each once, and always {needed}: {values}.',
  }),
  prefix_list: msg({
    message:
      'Enter at most {max, number} different https URLs of at most {limit, number} characters, without a question mark.',
  }),
  funding_list: msg({
    message: 'Enter at most {max, number} URLs, each with a text of at most 128 characters.',
  }),
  new_feed_needed: msg`A show that has moved needs the URL of its new feed.`,
  own_feed: msg`This is the show’s own feed, so it would redirect to itself.`,
  feed_leads_back: msg`That feed already redirects to this show, so the two would redirect to each other.`,
  not_moved: msg`This show has not moved.`,
  directory_page: msg({ message: 'This must be the https URL of a page at {hosts}.' }),
  domain_form: msg`Enter only the name, such as podcast.example.com.`,
  domain_characters: msg`Use only letters, digits, hyphens and dots.`,
  domain_length: msg({
    message:
      'Enter a name of at most {max, number} characters, with at most {limit, number} between two dots.',
  }),
  domain_port: msg`Enter the name without a port.`,
  domain_address: msg`Enter a name, not an IP address.`,
  domain_single_label: msg`Enter a full name with a dot, such as podcast.example.com.`,
  domain_ours: msg`This name belongs to the service itself. Enter a name of your own.`,
  member_already: msg`Someone with this email address is already on the team.`,
  team_full: msg({ message: 'A show can have at most {max, number} members and invitations.' }),
  owner_cannot_leave: msg`The owner can’t leave. Transfer the show first.`,
  owner_stays: msg`You can’t change or remove the owner. The show has to be transferred first.`,
  role_beyond_yours: msg`You can’t give someone more permissions than you have. Only the owner can make someone an admin.`,
  member_beyond_yours: msg`You can’t change members who have more permissions than you. Only the owner can change admins.`,
  own_address: msg`This is your own email address. You already own the show.`,
  role_name_length: msg({
    message: 'A role name must have 1 to {max, number} visible characters on one line.',
  }),
  role_name_web_address: msg`A role name must not contain a web address.`,
  person_linked_elsewhere: msg`Someone else on the team has this name. Link the member to a person on the show first.`,
  person_deleted: msg`One of these people was deleted.`,
  no_such_person: msg`This person is not, or no longer, on the show.`,
  person_name: msg({ message: 'A name must have 1 to {max, number} characters.' }),
  person_role: msg`Use a role from the Podcasting 2.0 taxonomy, such as host, guest or producer.`,
  bio_length: msg({ message: 'A bio can have at most {max, number} characters.' }),
  no_member: msg`This person is not on the team.`,
  people_full: msg({
    message: 'A show can have at most {max, number} people. Remove some, and try again.',
  }),
  roster_full: msg({
    message:
      'The roster of a show can have at most {max, number} people. Take some off the roster, and try again.',
  }),
  people_texts_full: msg({
    message:
      'The names, bios and links of a show’s people can have at most {size} in total. Shorten or remove some, and try again.',
  }),
  credits_full: msg({
    message: 'An episode can have at most {max, number} credits. Remove some, and try again.',
  }),
  episode_slug_taken: msg({
    message: 'The show already has an episode with the slug {slug}. Choose another one.',
  }),
  schedule_time_needed: msg`A scheduled episode needs a publication time.`,
  is_archived: msg`This episode is archived. Return it to draft first.`,
  is_published: msg`This episode is published. Return it to draft first.`,
  without_audio: msg`This episode has no audio. Without it, the episode is public on its page and in the API, but not in the feed.`,
  date_in_future: msg`This date is in the future. Schedule the episode instead.`,
  notes_length: msg({ message: 'Show notes can have at most {max, number} characters.' }),
  chapter_count: msg({ message: 'An episode can have at most {max, number} chapters.' }),
  chapter_start: msg`This must be a time within the longest recording.`,
  chapter_end: msg`The end must be after the start.`,
  chapter_empty: msg`A chapter needs a title, a picture or a link.`,
  segment_empty: msg`Enter some text.`,
  not_aligned: msg`The recordings could not be aligned, so nothing can be moved to match the new audio.`,
  file_empty: msg`The file is empty.`,
  file_too_large: msg({ message: 'This file is larger than {size}.' }),
  file_used: msg`This file has already been used.`,
  file_damaged: msg`The file was damaged during the upload. Upload it again.`,
  upload_share: msg({
    message:
      'Your unfinished uploads can have at most {files, number} files and {size} in total. Finish or cancel one first.',
  }),
  storage_full: msg({
    message:
      'Your plan {plan} includes {included} of storage, and {used} is in use, so this doesn’t fit. Delete files, or ask for a larger plan.',
  }),
  storage_written: msg({
    message:
      'Your plan {plan} lets you add {included} of files within two days, and {written} were added. Deleted and replaced files are kept for backups so long. Try again in {hours} hours, or ask for a larger plan.',
  }),
  texts_full: msg({
    message:
      'Your plan {plan} includes {included} of texts and transcripts, and {used} is in use, so this doesn’t fit. Delete transcripts or episodes, or ask for a larger plan.',
  }),
  running_imports: msg({
    message:
      'You already have {count, number} running imports. Wait for one to finish, or cancel one.',
  }),
  site_limit: msg({
    message: 'You can have at most {max, number} connected sites. Disconnect one first.',
  }),
  site_not_connected: msg`This site is no longer connected.`,
  choose_a_show: msg`Choose at least one show.`,
  webhook_url: msg({
    message:
      'Enter an https URL without a user name, password or fragment, of at most {max, number} characters.',
  }),
  webhook_types: msg`Choose at least one event.`,
  webhook_limit: msg({
    message: 'A show can have at most {max, number} webhooks. Delete one first.',
  }),
  webhook_url_taken: msg`A webhook of this show has this URL already.`,
  webhook_host_limit: msg({
    message:
      'A show can have at most {max, number} webhooks for one host, and {host} has them. Delete one first.',
  }),
  webhook_off: msg`This webhook is off. Turn it on first.`,
  platform_file: msg({
    message:
      'This is not a CSV export of {platform}. Expected in the first row: one of {names}, and one of {figures}. Found: {found}.',
  }),
  other_platform_file: msg({
    message:
      'This is not a CSV export of {platform}. It looks like one of {other}. Found: {found}.',
  }),
  csv_unreadable: msg({
    message: 'The file is not a readable table ({code}). Reading stopped at line {line, number}.',
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
  platform_sums: msg`The figures in the file are too large to be added up.`,
  platform_several_shows: msg({
    message:
      'The file has several shows, and not exactly one of them is named "{title}". Found: {names}.',
  }),
  platform_other_show: msg({
    message: 'The file is for the show "{name}", not for "{title}".',
  }),
};
