/** Style sheets are built into the bundles as minified text and adopted as constructable sheets. */
declare module '*.css' {
  const text: string;
  export default text;
}
