/** A category by the name that Apple gives it, and perhaps one of its subcategories. */
export interface AppleCategory {
  readonly category: string;
  readonly subcategory?: string | undefined;
}

/** Apple's categories and their subcategories. */
export const appleCategories: Readonly<Record<string, readonly string[]>> = {
  Arts: ['Books', 'Design', 'Fashion & Beauty', 'Food', 'Performing Arts', 'Visual Arts'],
  Business: [
    ...['Careers', 'Entrepreneurship', 'Investing', 'Management', 'Marketing', 'Non-Profit'],
  ],
  Comedy: ['Comedy Interviews', 'Improv', 'Stand-Up'],
  Education: ['Courses', 'How To', 'Language Learning', 'Self-Improvement'],
  Fiction: ['Comedy Fiction', 'Drama', 'Science Fiction'],
  Government: [],
  History: [],
  'Health & Fitness': [
    ...['Alternative Health', 'Fitness', 'Medicine', 'Mental Health', 'Nutrition', 'Sexuality'],
  ],
  'Kids & Family': ['Education for Kids', 'Parenting', 'Pets & Animals', 'Stories for Kids'],
  Leisure: [
    ...['Animation & Manga', 'Automotive', 'Aviation', 'Crafts', 'Games', 'Hobbies'],
    ...['Home & Garden', 'Video Games'],
  ],
  Music: ['Music Commentary', 'Music History', 'Music Interviews'],
  News: [
    ...['Business News', 'Daily News', 'Entertainment News', 'News Commentary', 'Politics'],
    ...['Sports News', 'Tech News'],
  ],
  'Religion & Spirituality': [
    ...['Buddhism', 'Christianity', 'Hinduism', 'Islam', 'Judaism', 'Religion', 'Spirituality'],
  ],
  Science: [
    ...['Astronomy', 'Chemistry', 'Earth Sciences', 'Life Sciences', 'Mathematics'],
    ...['Natural Sciences', 'Nature', 'Physics', 'Social Sciences'],
  ],
  'Society & Culture': [
    ...['Documentary', 'Personal Journals', 'Philosophy', 'Places & Travel', 'Relationships'],
  ],
  Sports: [
    ...['Baseball', 'Basketball', 'Cricket', 'Fantasy Sports', 'Football', 'Golf', 'Hockey'],
    ...['Rugby', 'Running', 'Soccer', 'Swimming', 'Tennis', 'Volleyball', 'Wilderness'],
    'Wrestling',
  ],
  Technology: [],
  'True Crime': [],
  'TV & Film': ['After Shows', 'Film History', 'Film Interviews', 'Film Reviews', 'TV Reviews'],
};

/** Apple's categories until 2019, each with its successor, as `category > subcategory`. */
const obsolete: Readonly<Record<string, string>> = {
  'Arts > Literature': 'Arts > Books',
  'Business > Business News': 'News > Business News',
  'Business > Management & Marketing': 'Business > Management',
  'Business > Shopping': 'Business',
  'Education > Education Technology': 'Education',
  'Education > Educational Technology': 'Education',
  'Education > Higher Education': 'Education > Courses',
  'Education > K-12': 'Education',
  'Education > Language Courses': 'Education > Language Learning',
  'Education > Training': 'Education > How To',
  'Games & Hobbies': 'Leisure',
  'Games & Hobbies > Automotive': 'Leisure > Automotive',
  'Games & Hobbies > Aviation': 'Leisure > Aviation',
  'Games & Hobbies > Hobbies': 'Leisure > Hobbies',
  'Games & Hobbies > Other Games': 'Leisure > Games',
  'Games & Hobbies > Video Games': 'Leisure > Video Games',
  'Government & Organizations': 'Government',
  'Government & Organizations > Local': 'Government',
  'Government & Organizations > National': 'Government',
  'Government & Organizations > Regional': 'Government',
  'Government & Organizations > Non-Profit': 'Business > Non-Profit',
  Health: 'Health & Fitness',
  'Health > Alternative Health': 'Health & Fitness > Alternative Health',
  'Health > Fitness & Nutrition': 'Health & Fitness > Fitness',
  'Health > Self-Help': 'Education > Self-Improvement',
  'Health > Sexuality': 'Health & Fitness > Sexuality',
  'News & Politics': 'News',
  'News & Politics > Conservative (Right)': 'News > Politics',
  'News & Politics > Liberal (Left)': 'News > Politics',
  'Religion & Spirituality > Other': 'Religion & Spirituality > Religion',
  'Science & Medicine': 'Science',
  'Science & Medicine > Medicine': 'Health & Fitness > Medicine',
  'Science & Medicine > Natural Sciences': 'Science > Natural Sciences',
  'Science & Medicine > Social Sciences': 'Science > Social Sciences',
  'Society & Culture > History': 'History',
  'Sports & Recreation': 'Sports',
  'Sports & Recreation > Amateur': 'Sports',
  'Sports & Recreation > College & High School': 'Sports',
  'Sports & Recreation > Outdoor': 'Sports > Wilderness',
  'Sports & Recreation > Professional': 'Sports',
  'Technology > Gadgets': 'Technology',
  'Technology > IT News': 'News > Tech News',
  'Technology > Podcasting': 'Technology',
  'Technology > Software How-To': 'Technology',
  'Technology > Tech News': 'News > Tech News',
};

const currentByKey = new Map<string, AppleCategory>();
for (const [category, subcategories] of Object.entries(appleCategories)) {
  for (const subcategory of [undefined, ...subcategories]) {
    currentByKey.set(keyOf({ category, subcategory }), { category, subcategory });
  }
}
const obsoleteByKey = new Map(
  Object.entries(obsolete).map(([was, is]) => [keyOf(split(was)), split(is)]),
);

/**
 * The category as Apple calls it today. Replaces obsolete names; ignores case, and accepts "and"
 * for "&". Undefined for a category that Apple does not have.
 */
export function tryParseAppleCategory(given: AppleCategory): AppleCategory | undefined {
  const key = keyOf(given);
  return currentByKey.get(key) ?? obsoleteByKey.get(key);
}

function split(path: string): AppleCategory {
  const [category = '', subcategory] = path.split(' > ');
  return { category, subcategory };
}

function keyOf({ category, subcategory }: AppleCategory): string {
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll('&amp;', '&')
      .replaceAll(' and ', ' & ')
      .replace(/[^\p{L}\p{N}&]/gu, '');
  return subcategory === undefined ? plain(category) : `${plain(category)}>${plain(subcategory)}`;
}
