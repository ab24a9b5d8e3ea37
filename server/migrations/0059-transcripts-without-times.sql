-- A transcript may have words and speakers without times. All its segments then start and end at 0.
alter table transcripts add column has_times boolean not null default true;
alter table further_transcripts add column has_times boolean not null default true;

-- Files without times used to get invented ones: 400 ms for each word, one segment after the other.
-- The sum tells which transcripts may be such, and their segments whether they are.
update transcripts t set has_times = false, duration_ms = 0
where t.duration_ms = 400 * t.word_count
  and not exists (
    select from (
      select s.start_ms, s.end_ms, lag(s.end_ms, 1, 0) over (order by s.position) as before_ms
      from transcript_segments s where s.episode_id = t.episode_id) s
    where s.start_ms <> s.before_ms or s.start_ms % 400 <> 0 or s.end_ms % 400 <> 0);

update transcript_segments s set start_ms = 0, end_ms = 0
from transcripts t where t.episode_id = s.episode_id and not t.has_times;

update further_transcripts t set has_times = false, duration_ms = 0
where t.duration_ms = 400 * t.word_count
  and not exists (
    select from (
      select s.start_ms, s.end_ms, lag(s.end_ms, 1, 0) over (order by s.position) as before_ms
      from further_transcript_segments s
      where s.episode_id = t.episode_id and s.language = t.language) s
    where s.start_ms <> s.before_ms or s.start_ms % 400 <> 0 or s.end_ms % 400 <> 0);

update further_transcript_segments s set start_ms = 0, end_ms = 0
from further_transcripts t
where t.episode_id = s.episode_id and t.language = s.language and not t.has_times;
