import { type Html, trusted } from './html.ts';
import { ROOK } from './logo.ts';

/** A rook that sits on a branch, at a place of the picture. */
const rook = (x: number, y: number, size: number, turned = false): string =>
  `<path transform="translate(${x} ${y}) scale(${turned ? -size : size} ${size})" d="${ROOK}"/>`;

/** Three rooks in front of the moon: the picture of a server that has none of its own. */
export const FRONT_PICTURE: Html = trusted(
  '<svg class="hero-picture" viewBox="0 0 600 340" preserveAspectRatio="xMidYMid slice" aria-hidden="true">' +
    '<rect width="600" height="340" fill="var(--accent-soft)"/>' +
    '<circle cx="420" cy="120" r="74" fill="var(--surface)"/>' +
    '<path d="M0 250c90-60 170-70 250-30s170 50 350-40v160H0z" fill="var(--accent)" opacity=".22"/>' +
    '<path d="M0 290c120-50 220-40 320-10s190 20 280-20v80H0z" fill="var(--accent)" opacity=".4"/>' +
    '<g fill="none" stroke="var(--accent-strong)" stroke-linecap="round">' +
    '<path d="M-10 208c150 22 330 6 470-30 40-10 70-26 96-48" stroke-width="9"/>' +
    '<path d="M300 199c30-30 50-60 58-94M180 211c-6-34-22-62-46-86M440 183c26 6 52 20 74 42" stroke-width="5"/></g>' +
    `<g fill="var(--accent-strong)">${rook(330, 107, 3.8)}${rook(265, 128, 3.2, true)}${rook(52, 151, 2.6)}</g></svg>`,
);
