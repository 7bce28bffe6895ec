/* main LIBRARY… WAY: loads each library in turn, lets it die, and unloads it where it does not. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **words) {
  int code = 0;
  for (int index = 1; index + 1 < count; ++index) {
    void *library = dlopen(words[index], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return fprintf(stderr, "%s\n", dlerror()), 98;
    int (*dieOf)(const char *) = (int (*)(const char *))dlsym(library, "dieOf");
    code |= dieOf(words[count - 1]);
    dlclose(library);
  }
  return code;
}
