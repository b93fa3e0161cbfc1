export {
  favouritesOf,
  mediaOf,
  peopleAround,
  postsOf,
  scheduledOf,
  type Favourite,
  type Post,
} from './belongings.ts';
