-- Whether the makers say that artificial intelligence made a substantial part of it: podcast:txt with the
-- purpose ai-content. Null: they say nothing.
alter table podcasts add column ai_content boolean;
alter table episodes add column ai_content boolean;
