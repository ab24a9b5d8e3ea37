-- works with: 0.1.0
-- What a show says to directories and to those who train AI models. docs/decisions/0062.
alter table podcasts
  add column confirm_move boolean not null default false,
  add column ai_training text not null default 'allow' check (ai_training in ('allow', 'deny'));
