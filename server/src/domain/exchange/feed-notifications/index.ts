/**
 * Which feeds have changed, and who is told: Podcast Index, podping, WebSub hubs. Tables:
 * feed_states, feed_notifications. docs/decisions/0058.
 */
export { NotificationCounts } from './notification-counts.ts';
export { startFeedNotifications } from './start-feed-notifications.ts';
