/** Some hosts only have the files of the newest publication. */
export function NoFiles() {
  return <p class="note">This host does not have the files of this publication.</p>;
}
