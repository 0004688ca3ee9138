import Link from 'next/link';
import { Support } from './support';

export const metadata = { title: 'Harbor Books' };

/** The chat belongs to the layout, so it is the same on each page. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Shop</Link> <Link href="/about">About</Link>
        </nav>
        {children}
        <Support />
      </body>
    </html>
  );
}
