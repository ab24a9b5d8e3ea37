/**
 * Which feeds have changed, and who is told: Podcast Index, podping, WebSub hubs, and the
 * subscribers of our own hub (`hub/`). Tables: feed_states, feed_notifications, hub_subscriptions,
 * hub_requests, hub_hosts. docs/decisions/0058, 0059.
 */
export { requestSubscription } from './hub/request-subscription.ts';
export { NotificationCounts } from './notification-counts.ts';
export {
  type ChannelNotification,
  type FeedNotifications,
  readFeedNotifications,
} from './read-notifications.ts';
export { startFeedNotifications } from './start-feed-notifications.ts';
