-- What was called letters is called emails, with the names of everything that belongs to it.
alter table letters rename to emails;
alter table emails rename constraint letters_pkey to emails_pkey;
alter table emails rename constraint letters_key_key to emails_key_key;
alter table emails rename constraint letters_state_check to emails_state_check;
alter table emails rename constraint letters_check to emails_check;
alter table emails rename constraint letters_check1 to emails_check1;
alter index letters_due rename to emails_due;
alter index letters_ended rename to emails_ended;

alter table letter_links rename to email_links;
alter table email_links rename constraint letter_links_pkey to email_links_pkey;
alter table email_links rename constraint letter_links_token_hash_check
  to email_links_token_hash_check;
alter table email_links rename constraint letter_links_purpose_check to email_links_purpose_check;
alter table email_links rename constraint letter_links_email_check to email_links_email_check;
alter table email_links rename constraint letter_links_check to email_links_check;
alter table email_links rename constraint letter_links_user_id_fkey to email_links_user_id_fkey;
alter index letter_links_of_address rename to email_links_of_address;
alter index letter_links_of_user rename to email_links_of_user;
alter index letter_links_by_end rename to email_links_by_end;
