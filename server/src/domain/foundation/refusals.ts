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
  http_address_length: 'This must be an http or https URL with at most {max} characters.',
  safe_address: 'This must be an http or https URL without a secret in it.',
  slug_form:
    'Use 1 to 100 lowercase letters (a-z), digits and single hyphens between them. UUIDs and "latest" are reserved.',

  // Accounts, sessions and keys.
  password_length: 'A password must have {min} to {max} characters.',
  name_length: 'A name must have 1 to {max} visible characters on one line.',
  name_web_address: 'A name must not contain a web address.',
  address_taken: 'A user with the email address {email} already exists.',
  wrong_credentials: 'The email address or password is wrong.',
  password_missing: 'Enter your current password.',
  wrong_password: 'This is not your current password.',
  accept_terms: 'Accept the terms to create an account.',
  terms_changed: 'The terms have changed. Please read the current version.',
  link_expired: 'This link has been used or has expired.',
  attempts: 'Too many attempts. Try again in {minutes} minutes.',
  attempts_minute: 'Too many attempts. Try again in a minute.',
  owns_show: 'You own "{title}". Transfer or delete it first.',
  key_ended: 'This key has expired or been revoked. Create a new one.',
  rolled_already: 'This key’s secret has already been replaced.',
  made_already: 'This key has already been created.',
  key_scopes: 'Choose at least one permission: {scopes}.',
  key_podcasts: 'Choose "all" shows, or 1 to {max} by their IDs.',

  // Shows and their teams.
  slug_taken: 'The slug {slug} is taken. Choose another one.',
  slugs_used_up:
    'A show or episode can have at most {max} slugs over time, and this one has used them all. Choose one of its earlier slugs.',
  slugs_of_owner:
    'Only the owner can use the last {max} slugs of a show or episode. Choose one of its earlier slugs.',
  wrong_slug: 'Type {slug} to delete this show.',
  color: 'Enter a color as #rrggbb.',
  language_tag: 'Enter a BCP 47 language tag, such as en or de-AT.',
  time_zone: 'Enter an IANA time zone name, such as Europe/Berlin.',
  medium: 'Enter a medium, such as podcast or music.',
  category_list: 'Enter at most {max} categories, each with names of 1 to 100 characters.',
  element_count: 'Enter at most {max} of these.',
  field_of_its_own: 'This purpose has a field of its own: {field}.',
  seconds: 'This must be a number of seconds from {min} to {max}, with up to three decimals.',
  uri: 'This must be a URL with at most {max} characters.',
  moment: 'Enter a time in ISO 8601 with a time zone, such as 2027-01-31T12:00:00Z.',
  day_or_time: 'Enter a day such as 2027-01-31, or a time in ISO 8601 with a time zone.',
  podcast_guid: 'Enter a podcast GUID, which is a UUID.',
  amount: 'Enter an amount such as 0.00000005.',
  tokens: 'Enter one or more words, such as social or banner, separated by spaces.',
  ratio: 'Enter a ratio such as 16/9.',
  country: 'Enter a country code of two letters, such as NO.',
  geo: 'Enter coordinates as geo:latitude,longitude, such as geo:59.91,10.75.',
  osm: 'Enter N, W or R and the number of the OpenStreetMap object, such as R406091.',
  rrule: 'Enter a recurrence rule as in RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.',
  rrule_start: 'A rule with COUNT needs a first day.',
  media_type: 'Enter a media type, such as image/jpeg.',
  license_url: 'Your own license needs the URL of its text.',
  comments_off: 'If comments are disabled, leave the other fields empty.',
  payment_shares: 'At least one recipient needs a share that is not a fee.',
  artwork_picture: 'The feed already contains the artwork. Enter another purpose.',
  soundbite_end: 'This soundbite ends after the audio, which has {seconds} seconds.',
  arrangement: 'List some of these words, each once, and always {needed}: {values}.',
  prefix_list:
    'Enter at most {max} different https URLs of at most {limit} characters, without a question mark.',
  funding_list: 'Enter at most {max} URLs, each with a text of at most 128 characters.',
  new_feed_needed: 'A show that has moved needs the URL of its new feed.',
  own_feed: 'This is the show’s own feed, so it would redirect to itself.',
  feed_leads_back:
    'That feed already redirects to this show, so the two would redirect to each other.',
  not_moved: 'This show has not moved.',
  directory_page: 'This must be the https URL of a page at {hosts}.',
  domain_form: 'Enter only the name, such as podcast.example.com.',
  domain_characters: 'Use only letters, digits, hyphens and dots.',
  domain_length: 'Enter a name of at most {max} characters, with at most {limit} between two dots.',
  domain_port: 'Enter the name without a port.',
  domain_address: 'Enter a name, not an IP address.',
  domain_single_label: 'Enter a full name with a dot, such as podcast.example.com.',
  domain_ours: 'This name belongs to the service itself. Enter a name of your own.',
  member_already: 'Someone with this email address is already on the team.',
  team_full: 'A show can have at most {max} members and invitations.',
  owner_cannot_leave: 'The owner can’t leave. Transfer the show first.',
  owner_stays: 'You can’t change or remove the owner. The show has to be transferred first.',
  role_beyond_yours:
    'You can’t give someone more permissions than you have. Only the owner can make someone an admin.',
  member_beyond_yours:
    'You can’t change members who have more permissions than you. Only the owner can change admins.',
  own_address: 'This is your own email address. You already own the show.',
  role_name_length: 'A role name must have 1 to {max} visible characters on one line.',
  role_name_web_address: 'A role name must not contain a web address.',
  person_linked_elsewhere:
    'Someone else on the team has this name. Link the member to a person on the show first.',
  person_deleted: 'One of these people was deleted.',
  no_such_person: 'This person is not, or no longer, on the show.',
  person_name: 'A name must have 1 to {max} characters.',
  person_role: 'Use a role from the Podcasting 2.0 taxonomy, such as host, guest or producer.',
  bio_length: 'A bio can have at most {max} characters.',
  no_member: 'This person is not on the team.',
  people_full: 'A show can have at most {max} people. Remove some, and try again.',
  roster_full:
    'The roster of a show can have at most {max} people. Take some off the roster, and try again.',
  people_texts_full:
    'The names, bios and links of a show’s people can have at most {size} in total. Shorten or remove some, and try again.',
  credits_full: 'An episode can have at most {max} credits. Remove some, and try again.',

  // Episodes.
  episode_slug_taken: 'The show already has an episode with the slug {slug}. Choose another one.',
  schedule_time_needed: 'A scheduled episode needs a publication time.',
  is_archived: 'This episode is archived. Return it to draft first.',
  is_published: 'This episode is published. Return it to draft first.',
  without_audio:
    'This episode has no audio. Without it, the episode is public on its page and in the API, but not in the feed.',
  date_in_future: 'This date is in the future. Schedule the episode instead.',
  notes_length: 'Show notes can have at most {max} characters.',
  chapter_count: 'An episode can have at most {max} chapters.',
  chapter_start: 'This must be a time within the longest recording.',
  chapter_end: 'The end must be after the start.',
  chapter_empty: 'A chapter needs a title, a picture or a link.',
  segment_empty: 'Enter some text.',
  not_aligned:
    'The recordings could not be aligned, so nothing can be moved to match the new audio.',

  // Files and sites.
  file_empty: 'The file is empty.',
  file_too_large: 'This file is larger than {size}.',
  file_used: 'This file has already been used.',
  file_damaged: 'The file was damaged during the upload. Upload it again.',
  upload_share:
    'Your unfinished uploads can have at most {files} files and {size} in total. Finish or cancel one first.',
  storage_full:
    'Your plan {plan} includes {included} of storage, and {used} is in use, so this doesn’t fit. Delete files, or ask for a larger plan.',
  storage_written:
    'Your plan {plan} lets you add {included} of files within two days, and {written} were added. Deleted and replaced files are kept for backups so long. Try again in {hours} hours, or ask for a larger plan.',
  texts_full:
    'Your plan {plan} includes {included} of texts and transcripts, and {used} is in use, so this doesn’t fit. Delete transcripts or episodes, or ask for a larger plan.',
  running_imports:
    'You already have {count} running imports. Wait for one to finish, or cancel one.',
  site_limit: 'You can have at most {max} connected sites. Disconnect one first.',
  site_not_connected: 'This site is no longer connected.',
  choose_a_show: 'Choose at least one show.',
  webhook_url:
    'Enter an https URL without a user name, password or fragment, of at most {max} characters.',
  webhook_types: 'Choose at least one event.',
  webhook_limit: 'A show can have at most {max} webhooks. Delete one first.',
  webhook_url_taken: 'A webhook of this show has this URL already.',
  webhook_host_limit:
    'A show can have at most {max} webhooks for one host, and {host} has them. Delete one first.',
  webhook_off: 'This webhook is off. Turn it on first.',

  // Files of other platforms.
  platform_file:
    'This is not a CSV export of {platform}. Expected in the first row: one of {names}, and one of {figures}. Found: {found}.',
  other_platform_file:
    'This is not a CSV export of {platform}. It looks like one of {other}. Found: {found}.',
  csv_unreadable: 'The file is not a readable table ({code}). Reading stopped at line {line}.',
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
  platform_sums: 'The figures in the file are too large to be added up.',
  platform_several_shows:
    'The file has several shows, and not exactly one of them is named "{title}". Found: {names}.',
  platform_other_show: 'The file is for the show "{name}", not for "{title}".',
} as const;

export const sayRefusal = createSpeaker(refusals);
