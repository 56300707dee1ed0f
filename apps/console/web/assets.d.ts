/** Style sheets are imported for their effect; Vite puts them into files. */
declare module '*.css';
