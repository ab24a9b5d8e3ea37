-- Where a new account is led to once it exists: the page that required it, such as the approval of a
-- site. Kept here, so that the email's link stays short and nobody can change it.
alter table email_links add column return_path text
  check (return_path is null or (purpose = 'sign_up' and length(return_path) <= 8192));
