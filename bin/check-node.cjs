// Runs on any Node: says what to do when this one cannot run TypeScript, which means that npm did not install ours.
if (!process.features.typescript) {
  process.stderr.write(
    `Rookery needs Node 24 and found ${process.version}: the Node that its package.json pins was not installed.\n` +
      'Its install script was blocked. Run: npm rebuild --ignore-scripts=false\n',
  );
  process.exit(1);
}
